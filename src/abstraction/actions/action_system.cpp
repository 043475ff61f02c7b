#include "abstraction/actions/action_system.h"

#include <algorithm>
#include <set>

#include "logic/solver/simplify.h"
#include "logic/term/print.h"
#include "logic/term/reads.h"

namespace tacit {
namespace {

constexpr std::uint64_t most_simplifying_queries = 300; // for one mined clause

constexpr std::size_t most_written = 3000; // nodes of a mined clause, as people read it

/// The size of a term when it is written out.
std::size_t written_size(Term t, std::unordered_map<Term, std::size_t>& sizes) {
  if (const auto known = sizes.find(t); known != sizes.end()) return known->second;
  std::size_t size = 1;
  for (Term a : t->args) size = std::min(size + written_size(a, sizes), 2 * most_written);
  return sizes[t] = size;
}

std::vector<Term> parts_of(Term condition) {
  if (condition->op == Op::And) return condition->args;
  return {condition};
}

std::vector<Term> chosen_by(const BodyFormula& body, const std::set<Chooser>& choosers) {
  std::vector<Term> inputs;
  for (const FormulaInput& input : body.inputs)
    if (choosers.contains(input.chooser)) inputs.push_back(input.variable);
  return inputs;
}

bool mentions_any(Term term, const std::vector<Term>& of) {
  return std::ranges::any_of(variables(term),
                             [&](Term v) { return std::ranges::find(of, v) != of.end(); });
}

bool returns(const FormulaExit& exit) {
  return !exit.error && !exit.rejecting && exit.end->kind == TerminatorKind::Return;
}

/// With mined clauses: normal returns, and failures of the environment.
bool served(const FormulaExit& exit) {
  return returns(exit) || (!exit.error && !exit.rejecting && exit.end->environment);
}

Term guards(TermArena& arena, const BodyFormula& body, bool (*wanted)(const FormulaExit&)) {
  std::vector<Term> all;
  for (const FormulaExit& exit : body.exits)
    if (wanted(exit)) all.push_back(exit.guard);
  return arena.disj(std::move(all));
}

/// Holds wherever some values of `bound` make the formula true: what mentions them is left out.
Term relaxed(TermArena& arena, Term t, const std::vector<Term>& bound, bool above,
             std::unordered_map<Term, Term>& yes, std::unordered_map<Term, Term>& no) {
  if (!mentions_any(t, bound)) return t;
  auto& done = above ? yes : no;
  if (const auto known = done.find(t); known != done.end()) return known->second;
  const auto part = [&](Term a, bool side) { return relaxed(arena, a, bound, side, yes, no); };
  Term made = above ? arena.truth() : arena.falsehood();
  std::vector<Term> parts;
  if (t->op == Op::And || t->op == Op::Or) {
    for (Term a : t->args) parts.push_back(part(a, above));
    made = t->op == Op::And ? arena.conj(std::move(parts)) : arena.disj(std::move(parts));
  } else if (t->op == Op::Not) {
    made = arena.negate(part(t->args[0], !above));
  } else if (t->op == Op::Ite) {
    const Term yes_side = arena.conj(part(t->args[0], above), part(t->args[1], above)),
               no_side =
                   arena.conj(arena.negate(part(t->args[0], !above)), part(t->args[2], above));
    made = arena.disj(yes_side, no_side);
  }
  return done[t] = made;
}

/// Lets what is read through a bound reference be anything: the fields of an object that the client
/// may choose. Holds at least where the formula does.
class FreeContents {
public:
  FreeContents(TermArena& arena, std::vector<Term> bound)
      : arena_(arena), bound_(std::move(bound)) {}

  Term of(Term t) {
    if (t->args.empty()) return t;
    if (const auto known = done_.find(t); known != done_.end()) return known->second;
    std::vector<Term> args;
    for (Term a : t->args) args.push_back(of(a));
    Term made = arena_.rebuild(t, std::move(args));
    const bool through = made->op == Op::Select && made->args[1]->op == Op::Var &&
                         made->args[1]->sort == arena_.ref_sort() &&
                         std::ranges::find(bound_, made->args[1]) != bound_.end() &&
                         !mentions_any(made->args[0], bound_);
    if (through) {
      const std::string name = made->args[1]->name + "!any" + std::to_string(made->args[0]->id);
      made = arena_.var(name, made->sort);
      if (std::ranges::find(bound_, made) == bound_.end()) bound_.push_back(made);
    }
    return done_[t] = made;
  }
  const std::vector<Term>& bound() const { return bound_; }

private:
  TermArena& arena_;
  std::vector<Term> bound_;
  std::unordered_map<Term, Term> done_;
};

} // namespace

Result<Term> ActionSystem::with_free_contents(Term formula, const std::vector<Term>& objects,
                                              const std::vector<Term>& bound) {
  FreeContents free(arena(), objects);
  // Reading through what was read takes another round.
  Term next = push_reads(arena(), formula);
  for (Term before = nullptr; before != next;) {
    before = next;
    next = free.of(next);
  }
  std::vector<Term> all = free.bound();
  for (Term b : bound)
    if (std::ranges::find(all, b) == all.end()) all.push_back(b);
  return eliminator_.exists(next, all);
}

Result<std::unique_ptr<ActionSystem>> ActionSystem::create(ComponentFormulas& formulas,
                                                           Solver& solver, Eliminator& eliminator,
                                                           const ActionOptions& options) {
  std::unique_ptr<ActionSystem> made(new ActionSystem(formulas, solver, eliminator));
  TermArena& arena = made->arena();
  const Component& component = made->component();
  std::vector<Term> invariants;
  if (options.from != RequiresFrom::Mined) invariants = component.module().invariants;
  if (options.invariant) invariants.push_back(options.invariant);
  made->invariant_ = arena.conj(std::move(invariants));
  for (std::size_t c = 0; c < component.calls().size(); ++c)
    made->actions_.push_back(made->action(c, options.from));
  for (std::size_t k = 0; k < component.constructors().size(); ++k)
    made->starts_.push_back(made->start(k, options.from));
  for (const Approximation& approximation : options.approximations)
    if (auto used = made->approximate(approximation); !used) return std::unexpected(used.error());
  made->add_facts(options.facts);
  return made;
}

/// Over state and inputs of the body: parameters, and state that the client may have written.
Term ActionSystem::given_clause(const Procedure& procedure, const BodyFormula& body) const {
  Substitution by;
  for (const FormulaInput& input : body.inputs) {
    if (input.parameter) {
      by[procedure.parameters[*input.parameter].term] = input.variable;
    } else if (input.chooser == Chooser::Client && input.copy == 0) {
      by[procedure.blocks[0].statements[input.statement].target] = input.variable;
    }
  }
  return substitute(arena(), arena().conj(procedure.preconditions), by);
}

Action ActionSystem::action(std::size_t call, RequiresFrom from) {
  const Component& component = formulas_.component();
  const Procedure& procedure = component.body(component.calls()[call]);
  const BodyFormula& above = formulas_.call(call, Side::Above).body;
  const BodyFormula& below = formulas_.call(call, Side::Below).body;
  Action made;
  made.name = component.calls()[call].name;
  made.exact = &above == &below && !above.approximate();
  const bool mined = from != RequiresFrom::Given;
  const auto wanted = [&](const FormulaExit& exit) { return mined ? served(exit) : true; };
  made.step_above = combined_step(arena(), above, wanted);
  made.step_below = combined_step(arena(), below, wanted);
  made.errs = formulas_.call(call, Side::Above).errs;
  made.above = made.below = arena().truth();
  if (from != RequiresFrom::Mined) {
    if (!procedure.preconditions.empty()) made.clause = arena().conj(procedure.preconditions);
    const Term clause = given_clause(procedure, above);
    split(made, above, clause);
    for (Term* guard : {&made.step_above.guard, &made.step_below.guard, &made.errs})
      *guard = arena().conj(clause, *guard);
  }
  if (mined) mine(made, call, from == RequiresFrom::Mined);
  return made;
}

/// Eliminates the arguments of a given clause, and looks for terms that choose them.
void ActionSystem::split(Action& action, const BodyFormula& body, Term clause) {
  const auto client = chosen_by(body, {Chooser::Client});
  std::vector<Term> state_parts, mixed;
  bool arguments = false;
  for (Term part : parts_of(clause)) {
    if (!mentions_any(part, client)) {
      state_parts.push_back(part);
      continue;
    }
    arguments = true;
    const bool pure = std::ranges::all_of(
        variables(part), [&](Term v) { return std::ranges::find(client, v) != client.end(); });
    if (!pure) mixed.push_back(part);
  }
  if (!arguments) {
    action.above = action.below = clause;
    return;
  }
  std::vector<Term> with_ranges{clause};
  for (const FormulaInput& input : body.inputs)
    if (input.chooser == Chooser::Client) with_ranges.push_back(input.fact);
  const Term goal = arena().conj(std::move(with_ranges));
  auto eliminated = eliminator_.exists(goal, client);
  if (!eliminated) {
    eliminated = with_free_contents(goal, client, client);
    if (eliminated) action.any_contents = true;
  }
  const Term over = eliminated ? *eliminated : arena().conj(std::move(state_parts));
  action.above = over;
  action.below = eliminated ? over : arena().falsehood();
  if ((mixed.empty() || action.any_contents) && eliminated) return;
  // The check of the paper's section 4.2.2: wherever the approximation holds, some arguments
  // satisfy the clause, and these terms are such arguments.
  action.splitting = eliminated ? Splitting::ByChoice : Splitting::Approximated;
  if (is_false(over)) return;
  if (solver_.refute_forall_exists(std::vector<Term>{formulas_.facts(), invariant_, over}, goal,
                                   client) != Truth::Unsat)
    return;
  action.below = over;
  action.splitting = Splitting::ByChoice;
  if (auto rows = solver_.choices(arena())) action.choices = std::move(*rows);
}

/// The paper's approximations by hand (section 4.2.2): each is checked before it is used, and what
/// is known of the clause already is not given up.
Result<void> ActionSystem::approximate(const Approximation& given) {
  Action& action = actions_[given.call];
  const BodyFormula& body = formulas_.call(given.call, Side::Above).body;
  const Procedure& procedure = component().body(component().calls()[given.call]);
  const auto client = chosen_by(body, {Chooser::Client});
  std::vector<Term> with_ranges{given_clause(procedure, body)};
  for (const FormulaInput& input : body.inputs)
    if (input.chooser == Chooser::Client) with_ranges.push_back(input.fact);
  const Term goal = arena().conj(std::move(with_ranges));
  const auto refused = [&](Truth truth, const char* why) {
    return fail("'{}' does not {} the clause of {}: {}", to_string(given.condition),
                given.kind == Approximation::Kind::Over ? "approximate from above"
                                                        : "approximate from below",
                action.name, truth == Truth::Sat ? why : "the solver does not settle it");
  };
  if (given.kind == Approximation::Kind::Over) {
    const Truth truth = solver_.check(
        std::vector<Term>{formulas_.facts(), invariant_, goal, arena().negate(given.condition)});
    if (truth != Truth::Unsat) return refused(truth, "in some state arguments satisfy it beyond");
    if (!action.enabledness_known()) action.above = arena().conj(action.above, given.condition);
  } else {
    const Truth truth = solver_.refute_forall_exists(
        std::vector<Term>{formulas_.facts(), invariant_, given.condition}, goal, client);
    if (truth != Truth::Unsat) return refused(truth, "in some of these states no arguments do");
    if (action.enabledness_known()) return {};
    if (is_false(action.below))
      if (auto rows = solver_.choices(arena())) action.choices = std::move(*rows);
    action.below = arena().disj(action.below, given.condition);
  }
  if (solver_.check(std::vector<Term>{formulas_.facts(), invariant_, action.above,
                                      arena().negate(action.below)}) == Truth::Unsat) {
    action.below = action.above;
    action.splitting = Splitting::ByChoice;
  }
  return {};
}

void ActionSystem::mine(Action& action, std::size_t call, bool only) {
  const BodyFormula& above = formulas_.call(call, Side::Above).body;
  const BodyFormula& below = formulas_.call(call, Side::Below).body;
  const std::set<Chooser> others{Chooser::Environment, Chooser::Unknown};
  const Term may = guards(arena(), above, returns), must = guards(arena(), below, returns);
  // Arguments with which the environment can only fail are no good ones.
  if (may != guards(arena(), above, served)) {
    const auto good_above = eliminator_.exists(may, chosen_by(above, others));
    const auto good_below =
        good_above && above.cuts.empty() ? good_above : formulas_.surely(below, must, false);
    action.step_above.guard =
        arena().conj(action.step_above.guard, good_above.value_or(arena().truth()));
    action.step_below.guard =
        arena().conj(action.step_below.guard, good_below.value_or(arena().falsehood()));
    if (!good_above) action.exact = false;
  }
  // Given clauses restrict the arguments too.
  const Procedure& procedure = component().body(component().calls()[call]);
  const auto with_given = [&](const BodyFormula& body, Term goal) {
    return only ? goal : arena().conj(given_clause(procedure, body), goal);
  };
  const auto everything =
      chosen_by(above, {Chooser::Client, Chooser::Environment, Chooser::Unknown});
  auto enabled_above = eliminator_.exists(with_given(above, may), everything);
  if (!enabled_above) {
    // Objects that opaque callees hand out, and new ones, have any contents anyway.
    enabled_above =
        with_free_contents(with_given(above, may), chosen_by(above, others), everything);
    if (!enabled_above) {
      enabled_above = with_free_contents(with_given(above, may), everything, everything);
      action.any_contents = enabled_above.has_value();
    }
  }
  if (enabled_above) {
    action.above = push_reads(arena(), *enabled_above);
    std::unordered_map<Term, std::size_t> sizes;
    if (written_size(action.above, sizes) <= most_written)
      action.above =
          simplify(arena(), solver_, formulas_.facts(), action.above, most_simplifying_queries);
    if (written_size(action.above, sizes) > most_written)
      enabled_above = fail("the clause is too large to be read");
  }
  if (!enabled_above) {
    // At least what is asked of the state alone.
    std::unordered_map<Term, Term> yes, no;
    std::unordered_map<Term, std::size_t> sizes;
    action.above = relaxed(arena(), with_given(above, may), everything, true, yes, no);
    if (written_size(action.above, sizes) > most_written) action.above = arena().truth();
    action.above =
        simplify(arena(), solver_, formulas_.facts(), action.above, most_simplifying_queries);
  }
  // A mined clause is what is known of returning: hidden behaviour counts as the environment's.
  // Only a loop that was cut leaves open what the clause is.
  if (enabled_above && above.cuts.empty())
    action.below = action.above;
  else if (above.cuts.empty())
    action.below =
        eliminator_.some(with_given(above, may), everything).value_or(arena().falsehood());
  else
    action.below =
        formulas_.surely(below, with_given(below, must), true).value_or(arena().falsehood());
  if (only) action.splitting = Splitting::Precise;
  if (!action.enabledness_known() && solver_.check({formulas_.facts(), action.above,
                                                    arena().negate(action.below)}) == Truth::Unsat)
    action.below = action.above;
  if (!action.enabledness_known()) action.splitting = Splitting::Approximated;
}

bool ActionSystem::open_by_loops() const {
  for (std::size_t c = 0; c < actions_.size(); ++c)
    if (!actions_[c].enabledness_known() && !formulas_.call(c, Side::Above).body.cuts.empty())
      return true;
  return false;
}

void ActionSystem::take_from_above() {
  for (Action& action : actions_) {
    if (action.enabledness_known()) continue;
    action.below = action.above;
    action.from_above = true;
    action.splitting = Splitting::Precise;
  }
}

ActionStart ActionSystem::start(std::size_t constructor, RequiresFrom from) {
  const Call& call = component().constructors()[constructor];
  ActionStart made;
  made.name = call.name;
  const auto with_initial = [&](Side side) {
    const CallFormulas& formulas = formulas_.constructor(constructor, side);
    StepFormula step = formulas.outcomes[0];
    if (from != RequiresFrom::Mined)
      step.guard = arena().conj(given_clause(component().body(call), formulas.body), step.guard);
    const Substitution& initial = formulas_.initial();
    step.guard = substitute(arena(), step.guard, initial);
    for (auto& [variable, value] : step.after) value = substitute(arena(), value, initial);
    for (const auto& [variable, value] : initial) step.after.try_emplace(variable, value);
    return step;
  };
  made.above = with_initial(Side::Above);
  made.below = with_initial(Side::Below);
  const BodyFormula& above = formulas_.constructor(constructor, Side::Above).body;
  made.exact =
      &above == &formulas_.constructor(constructor, Side::Below).body && !above.approximate();
  return made;
}

void ActionSystem::add_facts(const std::vector<StateFact>& facts) {
  for (const StateFact& fact : facts) {
    std::vector<Term> there;
    for (std::size_t c = 0; c < actions_.size(); ++c)
      there.push_back(std::ranges::find(fact.calls, c) != fact.calls.end()
                          ? actions_[c].below
                          : arena().negate(actions_[c].above));
    strengthen(arena().implies(arena().conj(std::move(there)), fact.condition));
  }
}

} // namespace tacit
