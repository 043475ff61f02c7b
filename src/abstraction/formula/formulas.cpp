#include "abstraction/formula/formulas.h"

#include <algorithm>
#include <map>
#include <set>

#include "abstraction/formula/arguments.h"
#include "logic/term/reads.h"
#include "logic/term/size.h"

namespace tacit {

namespace {

constexpr std::size_t large_body = 50; // blocks: making a formula of it takes time

/// Rounds in which a loop may prove to have ended.
constexpr std::size_t rounds_tried[] = {1, 2, 4, 8, 16};
/// Rounds that are followed from below when it has not.
constexpr std::size_t rounds_below = 4;
/// Of a condition whose choices are to be eliminated: reads of maps multiply it.
constexpr std::size_t most_subterms = 4000;
/// Comparisons of addresses with conditional ones that are taken apart: two conditionals multiply.
constexpr std::size_t most_distributed = 2000;
/// Blocks that are copied in the hope that a loop ends, and to follow it for some rounds.
constexpr std::size_t most_hopeful_copies = 400;
constexpr std::size_t most_followed_copies = 1000;
constexpr std::size_t rounds_peeled = 2;

Term disjunction(TermArena& arena, const BodyFormula& body,
                 const std::function<bool(const FormulaExit&)>& wanted) {
  std::vector<Term> guards;
  for (const FormulaExit& e : body.exits)
    if (wanted(e)) guards.push_back(e.guard);
  return arena.disj(std::move(guards));
}

Term errors(TermArena& arena, const BodyFormula& body) {
  return disjunction(arena, body, [](const FormulaExit& e) { return e.error; });
}

/// Runs that end well: in an outcome that is no rejection.
Term served(TermArena& arena, const BodyFormula& body) {
  return disjunction(arena, body, [](const FormulaExit& e) { return !e.error && !e.rejecting; });
}

/// Choices are not eliminated from bodies with more of them than this (Booleans are easy), or with
/// more arguments, or from larger ones.
constexpr std::ptrdiff_t most_eliminated = 40, most_arguments = 6;
constexpr std::size_t largest_eliminated = 4000;

bool is_intricate(const Procedure& procedure, const BodyFormula& body) {
  if (!body.cuts.empty() && remembers(procedure)) return true;
  std::size_t size = 0;
  for (const FormulaExit& e : body.exits) size = std::max(size, distinct_subterms(e.guard));
  const auto count = [&](bool client) {
    return std::ranges::count_if(body.inputs, [&](const FormulaInput& input) {
      return (input.chooser == Chooser::Client) == client &&
             input.variable->sort->kind != SortKind::Bool;
    });
  };
  return size > largest_eliminated || count(false) > most_eliminated ||
         count(true) > most_arguments;
}

std::vector<Term> inputs(const BodyFormula& body, const std::function<bool(Chooser)>& wanted) {
  std::vector<Term> all;
  for (const FormulaInput& input : body.inputs)
    if (wanted(input.chooser)) all.push_back(input.variable);
  return all;
}

/// What is so whatever is hidden: an address that was allocated equals nothing that was there
/// before, and what a map holds for a hidden key is not known. Such reads become variables, which
/// are added to `hidden`; that claims less than the formula does, never more. So does a comparison
/// that stays as it is because taking all of them apart would take too long.
class HiddenValues {
public:
  HiddenValues(TermArena& arena, const BodyFormula& body, std::vector<Term>& hidden)
      : arena_(arena), body_(body), hidden_(hidden) {}

  Term run(Term goal) {
    keys_.insert(hidden_.begin(), hidden_.end());
    std::erase_if(hidden_, [&](Term v) { return is_fresh(v); });
    const Term made = rewrite(push_reads(arena_, goal));
    // What could not be rewritten stays hidden.
    for (Term v : variables(made))
      if (is_fresh(v)) hidden_.push_back(v);
    return made;
  }

private:
  const FormulaInput* input(Term variable) const {
    const auto found = std::ranges::find(body_.inputs, variable, &FormulaInput::variable);
    return found == body_.inputs.end() ? nullptr : &*found;
  }
  bool is_fresh(Term t) const {
    const FormulaInput* found = t->op == Op::Var ? input(t) : nullptr;
    return found && found->fresh;
  }

  /// Whether a term was there before the address: it is made of the state alone, or the address is
  /// known to differ from it.
  bool older(Term address, Term t) {
    const auto all = variables(t);
    if (std::ranges::none_of(all, [&](Term v) { return input(v) != nullptr; })) return true;
    if (is_fresh(t)) return t != address;
    const Term fact = input(address)->fact, differ = arena_.ne(address, t);
    return fact == differ ||
           (fact->op == Op::And && std::ranges::find(fact->args, differ) != fact->args.end());
  }

  Term rewrite(Term t) {
    if (t->args.empty()) return t;
    if (auto found = done_.find(t); found != done_.end()) return found->second;
    Term made = nullptr;
    if (t->op == Op::Eq) {
      for (int side = 0; side < 2 && !made; ++side) {
        const Term address = t->args[static_cast<std::size_t>(side)];
        const Term other = t->args[static_cast<std::size_t>(1 - side)];
        if (is_fresh(address) && address != other && older(address, other))
          made = arena_.falsehood();
        else if (other->op == Op::Ite && other->sort == arena_.ref_sort() &&
                 distributed_++ < most_distributed)
          made = rewrite(arena_.ite(other->args[0], arena_.eq(address, other->args[1]),
                                    arena_.eq(address, other->args[2])));
      }
    } else if (t->op == Op::Select && t->args[0]->op == Op::Var && keys_.contains(t->args[1])) {
      made = arena_.var(t->args[1]->name + "." + t->args[0]->name, t->sort);
      hidden_.push_back(made);
    }
    if (!made) {
      std::vector<Term> args;
      for (Term a : t->args) args.push_back(rewrite(a));
      made = arena_.rebuild(t, std::move(args));
    }
    done_.emplace(t, made);
    return made;
  }

  TermArena& arena_;
  const BodyFormula& body_;
  std::vector<Term>& hidden_;
  std::set<Term, TermById> keys_;
  std::unordered_map<Term, Term> done_;
  std::size_t distributed_ = 0;
};

} // namespace

Result<std::unique_ptr<ComponentFormulas>> ComponentFormulas::create(const Component& component,
                                                                     Solver& solver,
                                                                     Eliminator& eliminator,
                                                                     LoopEffort effort) {
  std::unique_ptr<ComponentFormulas> made(
      new ComponentFormulas(component, solver, eliminator, effort));
  made->facts_ = state_facts(component);
  for (const StateVariable& v : component.module().state)
    if (v.initial) made->initial_[v.term] = v.initial;
  auto add = [&](const Call& call, const std::string& prefix, bool constructor,
                 std::vector<Sides>& into) -> Result<void> {
    auto sides = made->bodies(call, prefix, constructor ? made->initial_ : Substitution{});
    if (!sides) return std::unexpected(sides.error());
    if (!sides->above->body.cuts.empty())
      made->has_cuts_ = true; // find_invariants() derives the rest
    else
      made->derive(*sides, call, constructor);
    into.push_back(std::move(*sides));
    return {};
  };
  for (std::size_t c = 0; c < component.calls().size(); ++c)
    if (auto added = add(component.calls()[c], "c" + std::to_string(c), false, made->calls_);
        !added)
      return std::unexpected(added.error());
  for (std::size_t k = 0; k < component.constructors().size(); ++k)
    if (auto added =
            add(component.constructors()[k], "k" + std::to_string(k), true, made->constructors_);
        !added)
      return std::unexpected(added.error());
  if (made->has_cuts_)
    if (auto found = made->find_invariants({}); !found) return std::unexpected(found.error());
  return made;
}

const StepFormula& ComponentFormulas::letter(std::size_t letter, Side side) const {
  const CallOutcome at = component_.letter(letter);
  return call(at.call, side).outcomes[at.outcome];
}

/// A loop that provably ends after some rounds is followed to its end: then the formulas are exact.
Result<ComponentFormulas::Sides>
ComponentFormulas::bodies(const Call& call, const std::string& prefix, const Substitution& before) {
  const Procedure& procedure = component_.body(call);
  auto side = [&](LoopRounds rounds) -> Result<std::shared_ptr<CallFormulas>> {
    // Asking is a query, so only where it pays.
    if (procedure.blocks.size() > large_body && solver_.check({arena().truth()}) == Truth::Unknown)
      return fail(procedure.where, "the budget ran out before '{}' was a formula", procedure.name);
    auto body = body_formula(component_, procedure, prefix, rounds);
    if (!body) return std::unexpected(body.error());
    auto made = std::make_shared<CallFormulas>();
    made->body = std::move(*body);
    return made;
  };
  if (!has_loop(procedure)) {
    auto only = side(0);
    if (!only) return std::unexpected(only.error());
    return Sides{*only, *only, {}};
  }
  std::shared_ptr<CallFormulas> below;
  for (std::size_t rounds : rounds_tried) {
    const auto copies = unroll(procedure, [&](BlockId) { return rounds; }, most_followed_copies);
    if (!copies || (below && copies->copies.size() > most_hopeful_copies)) break;
    auto followed = side(rounds);
    if (!followed) break;
    const Term beyond = substitute(arena(), (*followed)->body.beyond, before);
    // Loops of a body that was peeled have no bound that is worth looking for.
    const bool peeled = remembers(procedure);
    if ((effort_ == LoopEffort::Light || peeled) && !is_false(beyond)) {
      const std::size_t most = peeled ? rounds_peeled : rounds_below;
      if (rounds <= most) below = *followed;
      if (rounds < most) continue;
      break;
    }
    if (is_false(beyond) || solver_.check({facts_, beyond}) == Truth::Unsat) {
      for (const auto& [head, members] : (*followed)->body.graph->loops)
        unwind_[call.name + "/" + std::to_string(head)] = rounds;
      return Sides{*followed, *followed, {}};
    }
    if (rounds <= rounds_below) below = *followed;
  }
  auto above = side(std::nullopt);
  if (!above) return std::unexpected(above.error());
  if (!below) {
    auto straight = side(0);
    if (!straight) return std::unexpected(straight.error());
    below = *straight;
  }
  return Sides{*above, below, {}};
}

void ComponentFormulas::derive(Sides& sides, const Call& call, bool constructor) {
  for (CallFormulas* side : {sides.above.get(), sides.below.get()}) {
    side->outcomes.clear();
    if (constructor) {
      side->outcomes.push_back(combined_step(arena(), side->body, [&](const FormulaExit& e) {
        return !call.outcomes[e.outcome].starts_with("throws");
      }));
    } else {
      for (std::size_t o = 0; o < call.outcomes.size(); ++o)
        side->outcomes.push_back(combined_step(
            arena(), side->body, [&](const FormulaExit& e) { return e.outcome == o; }));
    }
    side->errs = errors(arena(), side->body);
  }
  if (component_.options().arguments != Arguments::Angelic) return;
  const Procedure& procedure = component_.body(call);
  if (is_intricate(procedure, sides.above->body))
    try_arguments(sides, procedure);
  else
    read_angelically(sides);
}

/// Where loops hide what arguments lead to, "for all choices" cannot be had as a formula. From
/// above it is enough to try some arguments: where one of them neither errs nor is rejected,
/// whatever the choices, the call does not err. From below, what happens before anything is hidden
/// is certain.
void ComponentFormulas::try_arguments(Sides& sides, const Procedure& procedure) {
  if (sides.above == sides.below) sides.below = std::make_shared<CallFormulas>(*sides.above);
  CallFormulas &above = *sides.above, &below = *sides.below;
  const Term falsehood = arena().falsehood();
  const auto client = inputs(below.body, [](Chooser c) { return c == Chooser::Client; });
  const auto plain = [&](const std::function<bool(const FormulaExit&)>& wanted) {
    return disjunction(arena(), below.body, [&](const FormulaExit& e) {
      return wanted(e) && std::ranges::all_of(variables(e.guard), [&](Term v) {
               const auto input = std::ranges::find(below.body.inputs, v, &FormulaInput::variable);
               return input == below.body.inputs.end() || input->chooser == Chooser::Client;
             });
    });
  };
  const Term errs = plain([](const FormulaExit& e) { return e.error; });
  const Term rejects = plain([](const FormulaExit& e) { return !e.error && e.rejecting; });
  const Term maybe_good = arena().conj(accepted(arena(), procedure, below.body),
                                       arena().negate(arena().disj(errs, rejects)));
  const Term some_good = eliminator_.exists(maybe_good, client).value_or(arena().truth());
  above.sure = below.sure =
      eliminator_.exists(arena().conj(errs, arena().negate(some_good)), client).value_or(falsehood);
  above.some_err = above.errs;
  below.some_err = below.errs;
  above.tried = below.tried =
      good_arguments(component_, procedure, above.body,
                     arena().conj(facts_, arena().negate(below.sure)), solver_, above.tried);
  std::vector<Term> none{above.errs};
  for (std::size_t i = 0; i < above.tried.size(); ++i)
    none.push_back(spoilt(arena(), procedure, above.body, above.tried[i], std::to_string(i)));
  above.errs = arena().conj(std::move(none));
  below.errs = arena().conj(below.errs, arena().negate(some_good));
  for (CallFormulas* side : {&above, &below})
    for (StepFormula& step : side->outcomes) step.guard = arena().conj(step.guard, maybe_good);
}

/// An argument is good if it cannot err and some run with it is not rejected. Where an elimination
/// fails, or a condition is too large to try, the formulas stay right and only say less: more may
/// err, less surely does.
void ComponentFormulas::read_angelically(Sides& sides) {
  if (sides.above == sides.below) sides.below = std::make_shared<CallFormulas>(*sides.above);
  CallFormulas &above = *sides.above, &below = *sides.below;
  const auto client = inputs(above.body, [](Chooser c) { return c == Chooser::Client; });
  const auto others = inputs(above.body, [](Chooser c) { return c != Chooser::Client; });
  const Term falsehood = arena().falsehood();
  const auto small = [&](Term run) { return distinct_subterms(run) <= most_subterms; };
  const auto may = [&](Term run) {
    return small(run) ? eliminator_.at_most(run, others) : arena().truth();
  };
  // Where what is hidden cannot be eliminated from the whole, it may be from a part.
  const auto must = [&](Term run) {
    if (auto whole = surely(below.body, run, false)) return *whole;
    std::vector<Term> parts;
    if (run->op == Op::Or)
      for (Term part : run->args)
        parts.push_back(surely(below.body, part, false).value_or(falsehood));
    return arena().disj(std::move(parts));
  };
  const Term errors_above = above.errs, errors_below = below.errs;
  const Term maybe_good =
      arena().conj(arena().negate(must(errors_below)), may(served(arena(), above.body)));
  const Term surely_good =
      arena().conj(arena().negate(may(errors_above)), must(served(arena(), below.body)));
  const auto guard = [&](CallFormulas& side, Term good) {
    for (StepFormula& step : side.outcomes) step.guard = arena().conj(step.guard, good);
  };
  const Term good_below =
      small(surely_good) ? eliminator_.some(surely_good, client).value_or(falsehood) : falsehood;
  const Term good_above =
      small(maybe_good) ? eliminator_.at_most(maybe_good, client) : arena().truth();
  above.good = maybe_good;
  below.good = surely_good;
  above.some_err = errors_above;
  below.some_err = errors_below;
  above.errs = arena().conj(errors_above, arena().negate(good_below));
  guard(above, maybe_good);
  below.errs = arena().conj(errors_below, arena().negate(good_above));
  guard(below, surely_good);
}

namespace {
/// The facts of hidden values that the goal depends on; `hidden` keeps only these. To leave out a
/// fact about other values claims less.
std::vector<Term> facts_about(const BodyFormula& body, Term goal, std::vector<Term>& hidden) {
  std::set<Term, TermById> reached;
  for (Term v : variables(goal)) reached.insert(v);
  std::vector<Term> facts;
  std::vector<const FormulaInput*> open;
  for (const FormulaInput& input : body.inputs)
    if (input.chooser == Chooser::Unknown) open.push_back(&input);
  for (bool more = true; more;) {
    more = false;
    std::erase_if(open, [&](const FormulaInput* input) {
      if (!reached.contains(input->variable)) return false;
      facts.push_back(input->fact);
      for (Term v : variables(input->fact)) reached.insert(v);
      return more = true;
    });
  }
  std::erase_if(hidden, [&](Term v) { return !reached.contains(v); });
  return facts;
}
} // namespace

/// For some choice of client (or, without it, given its choice) and environment, whatever is
/// hidden.
Result<Term> ComponentFormulas::surely(const BodyFormula& body, Term goal, bool client_too) {
  auto hidden = inputs(body, [](Chooser c) { return c == Chooser::Unknown; });
  if (distinct_subterms(goal) > most_subterms)
    return fail("the condition under which it may happen grows too large");
  std::vector<Term> facts = facts_about(body, goal, hidden);
  if (!hidden.empty()) {
    const Term whenever = HiddenValues(arena(), body, hidden)
                              .run(arena().implies(arena().conj(std::move(facts)), goal));
    auto all = eliminator_.for_all(whenever, hidden);
    if (!all) return all;
    goal = *all;
  }
  auto some =
      eliminator_.some(goal, inputs(body, [&](Chooser c) {
                         return c == Chooser::Environment || (client_too && c == Chooser::Client);
                       }));
  if (!some) return some;
  if (distinct_subterms(*some) > most_subterms)
    return fail("the condition under which it may happen grows too large");
  return push_reads(arena(), *some);
}

Result<Term> ComponentFormulas::surely_errs(std::size_t index) {
  const CallFormulas& below = call(index, Side::Below);
  if (below.sure) return below.sure;
  if (guarded()) return whatever_is_passed(component_.calls()[index], below.body, below.errs);
  return surely(below.body, below.errs, true);
}

/// No exit is taken, whatever the environment does; false where that cannot be said.
Term ComponentFormulas::stopped(const BodyFormula& body) const {
  std::vector<Term> goes_on{body.beyond};
  for (const FormulaExit& exit : body.exits) goes_on.push_back(exit.guard);
  const Term some = arena().disj(std::move(goes_on));
  const auto mentioned = variables(some);
  const std::set<Term, TermById> read(mentioned.begin(), mentioned.end());
  const bool chosen = std::ranges::any_of(body.inputs, [&](const FormulaInput& input) {
    return input.chooser == Chooser::Environment && read.contains(input.variable);
  });
  return chosen ? arena().falsehood() : arena().negate(some);
}

Result<Term> ComponentFormulas::surely_errs_if_at_all(std::size_t index) {
  const CallFormulas& below = call(index, Side::Below);
  if (below.sure || !guarded() || !below.body.approximate()) return surely_errs(index);
  const Term stops = stopped(below.body);
  if (!is_false(stops))
    if (auto errs = whatever_is_passed(component_.calls()[index], below.body,
                                       arena().disj(below.errs, stops)))
      return errs;
  return surely_errs(index);
}

namespace {

/// Reads of maps at places that depend on the `bound` variables are variables of their own, bound
/// as well; equal reads are the same.
Term with_free_reads(TermArena& arena, Term term, std::vector<Term>& bound) {
  const std::set<Term, TermById> keys(bound.begin(), bound.end());
  std::map<Term, Term, TermById> read;
  const auto walk = [&](const auto& self, Term t) -> Term {
    if (t->args.empty()) return t;
    if (t->op == Op::Select &&
        std::ranges::any_of(variables(t->args[1]), [&](Term v) { return keys.contains(v); })) {
      Term& known = read[t];
      if (!known) {
        known = arena.var("read!" + std::to_string(read.size()), t->sort);
        bound.push_back(known);
      }
      return known;
    }
    std::vector<Term> args;
    for (Term a : t->args) args.push_back(self(self, a));
    return arena.rebuild(t, std::move(args));
  };
  return walk(walk, term);
}

} // namespace

/// Arguments are observed: the goal has to be reached with each that the call takes, and where it
/// takes none there is nothing to show.
Result<Term> ComponentFormulas::whatever_is_passed(const Call& call, const BodyFormula& body,
                                                   Term goal) {
  auto with_each = surely(body, goal, false);
  if (!with_each) return with_each;
  auto client = inputs(body, [](Chooser c) { return c == Chooser::Client; });
  const Term each = arena().implies(taken(arena(), component_.body(call), body), *with_each);
  if (auto all = eliminator_.for_all(each, client)) return all;
  // Arguments that are keys of maps stay. To ask for more, whatever the maps hold there, claims
  // less.
  const Term more = with_free_reads(arena(), each, client);
  return eliminator_.for_all(more, client);
}

Result<Term> ComponentFormulas::surely_leads(std::size_t index, Term into) {
  const CallFormulas& below = call(component_.letter(index).call, Side::Below);
  if (below.sure) return fail("which arguments are good is not known exactly");
  const StepFormula& step = letter(index, Side::Below);
  const Term goal = arena().conj(step.guard, substitute(arena(), into, step.after));
  if (guarded())
    return whatever_is_passed(component_.calls()[component_.letter(index).call], below.body, goal);
  return surely(below.body, goal, true);
}

Result<Term> ComponentFormulas::surely_starts(std::size_t index, Term into) {
  const CallFormulas& below = constructor(index, Side::Below);
  if (below.sure) return fail("which arguments are good is not known exactly");
  const StepFormula& start = below.outcomes[0];
  Term goal = arena().conj(start.guard, substitute(arena(), into, start.after));
  // Without hidden values the choices may as well stay: the caller looks for any of them.
  goal = substitute(arena(), goal, initial_);
  if (!below.body.approximate()) return goal;
  return surely(below.body, goal, true);
}

Result<bool> ComponentFormulas::find_invariants(const std::vector<Term>& predicates) {
  bool changed = false;
  auto refresh = [&](Sides& sides, const Call& call, bool constructor) -> Result<void> {
    if (sides.above->body.cuts.empty()) return {};
    if (!sides.raw) sides.raw = std::make_shared<BodyFormula>(sides.above->body);
    const Procedure& procedure = component_.body(call);
    const Substitution before = constructor ? initial_ : Substitution{};
    Result<LoopInvariants> found = LoopInvariants{};
    if (effort_ == LoopEffort::Full && remembers(procedure)) {
      LoopAtoms atoms = clause_atoms(arena(), procedure, *sides.raw, {});
      if (sides.atoms == atoms) return {};
      found = clause_invariants(component_.module(), *sides.raw, facts_, before, atoms, solver_);
      sides.atoms = std::move(atoms);
    } else if (effort_ == LoopEffort::Full) {
      found =
          loop_invariants(component_, procedure, *sides.raw, facts_, before, predicates, solver_);
    }
    if (!found) return std::unexpected(found.error());
    for (const auto& [head, invariant] : *found) {
      auto& known = invariants_[call.name + "/" + std::to_string(head)];
      changed = changed || known != invariant;
      known = invariant;
    }
    BodyFormula filled = *sides.raw;
    for (FormulaExit& exit : filled.exits) {
      exit.guard = fill_in(arena(), *sides.raw, *found, exit.guard);
      for (auto& [variable, value] : exit.after)
        value = fill_in(arena(), *sides.raw, *found, value);
    }
    sides.above->body = std::move(filled);
    derive(sides, call, constructor);
    return {};
  };
  for (std::size_t c = 0; c < calls_.size(); ++c)
    if (auto done = refresh(calls_[c], component_.calls()[c], false); !done)
      return std::unexpected(done.error());
  for (std::size_t k = 0; k < constructors_.size(); ++k)
    if (auto done = refresh(constructors_[k], component_.constructors()[k], true); !done)
      return std::unexpected(done.error());
  return changed;
}

} // namespace tacit
