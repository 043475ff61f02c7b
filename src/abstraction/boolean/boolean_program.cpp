#include "abstraction/boolean/boolean_program.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "abstraction/boolean/judge.h"
#include "abstraction/formula/body_formula.h"
#include "abstraction/formula/predicates.h"
#include "base/should.h"
#include "logic/term/parse.h"
#include "logic/term/print.h"
#include "logic/term/reads.h"
#include "program/graph/unroll.h"
#include "program/ir/defaults.h"
#include "program/ir/names.h"
#include "program/ir/scope.h"

namespace tacit {
namespace {

constexpr std::size_t most_derived = 24; // per body

/// What a Boolean variable is called: the predicate itself.
std::string name_of(Term predicate) {
  std::string name = to_string(predicate);
  std::ranges::replace(name, '`', '\'');
  return name;
}

/// The value that an outcome's name stands for; null for a return without one.
Term returned_constant(TermArena& arena, const Type& type, const std::string& text) {
  if (type.sort->kind == SortKind::Bool) return arena.boolean(text == "true");
  if (type.sort->kind == SortKind::Enum) {
    for (std::size_t i = 0; i < type.sort->decl->values.size(); ++i)
      if (to_string(Value(static_cast<Integer>(i)), type.sort) == text)
        return arena.enumerator(type.sort, i);
    return nullptr;
  }
  if (text == "null") return arena.integer(0);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? arena.integer(number) : nullptr;
}

/// Whether what it returns is told by a condition, `returns>0` and `returns<=0`.
bool tells_conditions(const Call& call) {
  return std::ranges::any_of(call.outcomes, [](const std::string& outcome) {
    constexpr std::size_t word = std::string_view("returns").size();
    return outcome.starts_with("returns") && outcome.size() > word &&
           std::string_view("!<>").contains(outcome[word]);
  });
}

/// One body.
class BodyAbstractor {
public:
  BodyAbstractor(const Component& component, const Call& call, PredicateJudge& judge,
                 const JudgedPredicates& state, const std::map<std::string, Term>& invariants)
      : module_(component.module()), arena_(component.arena()), call_(call),
        from_(component.body(call)), judge_(judge), scope_(state),
        state_predicates_(state.predicates.size()), invariants_(invariants) {
    made_.name = from_.name;
    made_.kind = from_.kind;
    made_.where = from_.where;
    std::vector<Term> facts{state_facts(component)};
    for (const auto* list : {&from_.parameters, &from_.locals})
      for (const Variable& v : *list) {
        own_.push_back(v.term);
        facts.push_back(value_facts(arena_, v.type, v.term));
      }
    facts_ = arena_.conj(std::move(facts));
  }

  Result<Procedure> run(Term at_start) {
    auto graph = unroll(from_, [](BlockId) { return std::size_t{0}; });
    if (!graph) return std::unexpected(graph.error());
    derive();
    for (std::size_t c = 0; c < graph->copies.size(); ++c) made_.blocks.emplace_back();
    for (std::size_t c = 0; c < graph->copies.size(); ++c) {
      const BlockCopy& copy = graph->copies[c];
      out_ = &made_.blocks[c].statements;
      if (c == 0) {
        if (at_start && !is_true(at_start)) assume(at_start, {});
        enter();
      }
      if (auto loop = graph->loops.find(copy.block); loop != graph->loops.end())
        cut(loop->second, copy.block);
      const Block& block = from_.blocks[copy.block];
      for (const Statement& s : block.statements) statement(s);
      made_.blocks[c].end = terminator(block.end, copy);
    }
    close_loops();
    tidy(made_);
    return std::move(made_);
  }

  std::size_t derived() const { return scope_.predicates.size() - state_predicates_; }

private:
  bool own(Term variable) const { return std::ranges::find(own_, variable) != own_.end(); }
  bool mentions_own(Term t) const {
    return std::ranges::any_of(variables(t), [this](Term v) { return own(v); });
  }

  // Derived predicates

  /// The body's conditions and weakest preconditions, as far as they are about parameters and
  /// locals.
  void derive() {
    PredicateSet found(arena_), equations(arena_);
    std::vector<const Statement*> assignments;
    // An atom about the state alone is nobody's to add; but where a local holds one of its parts,
    // the local can stand for that part.
    auto through_locals = [&](Term atom) {
      for (const Statement* s : assignments) {
        if (!own(s->target) || s->value->args.empty() || mentions_own(s->value)) continue;
        const Term by_local = replaced(arena_, atom, s->value, s->target);
        if (by_local == atom || found.size() >= most_derived) continue;
        found.add(by_local);
        equations.add(arena_.eq(s->target, s->value));
      }
    };
    auto offer = [&](Term formula) {
      for (Term atom : atoms(arena_, formula)) {
        if (found.size() < most_derived && mentions_own(atom)) found.add(atom);
        if (!mentions_own(atom)) through_locals(atom);
      }
    };
    for (const Block& b : from_.blocks) {
      if (b.end.kind == TerminatorKind::Branch) offer(b.end.value);
      for (const Statement& s : b.statements) {
        if (s.kind == StatementKind::Assume) offer(s.value);
        if (s.kind == StatementKind::Assign) assignments.push_back(&s);
      }
    }
    auto before = [&](const Statement& s, Term predicate) {
      if (const Term wp = substitute(arena_, predicate, {{s.target, s.value}}); wp != predicate)
        offer(wp);
    };
    for (const Statement* s : assignments)
      for (std::size_t i = 0; i < state_predicates_; ++i) before(*s, scope_.predicates[i]);
    // A counter would go on for ever: what it counts is followed one step back.
    const std::size_t first = found.size();
    for (std::size_t i = 0; i < found.size(); ++i)
      for (const Statement* s : assignments) {
        const auto read = variables(s->value);
        if (i < first || std::ranges::find(read, s->target) == read.end())
          before(*s, Term(found.all()[i]));
      }
    for (Term e : equations.all()) found.add(e);
    for (Term p : found.all()) {
      scope_.predicates.push_back(p);
      scope_.variables.push_back(local(name_of(p)));
    }
  }

  Term local(const std::string& name) {
    std::string unique = name;
    for (std::size_t n = 2; made_.find_local(unique) || taken(unique); ++n)
      unique = fmt::format("{}.{}", name, n);
    made_.locals.push_back({arena_.var(unique, arena_.bool_sort()), {.sort = arena_.bool_sort()}});
    return made_.locals.back().term;
  }

  bool taken(const std::string& name) const {
    for (std::size_t i = 0; i < state_predicates_; ++i)
      if (scope_.variables[i]->name == name) return true;
    return false;
  }

  // Statements

  void assume(Term condition, const Location& where) {
    if (!is_true(condition))
      out_->push_back({.kind = StatementKind::Assume, .value = condition, .where = where});
  }

  void havoc(Term variable, const Location& where, Chooser chooser = Chooser::Unknown) {
    out_->push_back(
        {.kind = StatementKind::Havoc, .target = variable, .chooser = chooser, .where = where});
  }

  /// An auxiliary variable with any value; the n-th of this statement.
  Term any(std::size_t n, const Location& where) {
    while (any_.size() <= n) any_.push_back(local(fmt::format("any{}", any_.size() + 1)));
    havoc(any_[n], where);
    return any_[n];
  }

  Term three_valued(const Judgement& j, std::size_t n, const Location& where) {
    if (!j.open) return j.yes;
    return arena_.disj(j.yes, arena_.conj(arena_.negate(j.no), any(n, where)));
  }

  struct Change {
    std::size_t predicate;
    Term formula;                     // about the state before
    std::optional<Chooser> free = {}; // a Boolean variable with a value chosen by somebody
  };

  /// All at once, by what the predicates in `by` say.
  void change(const std::vector<Change>& changes, Term under, const Location& where) {
    change(changes, under, where, scope_);
  }

  void change(const std::vector<Change>& changes, Term under, const Location& where,
              const JudgedPredicates& by) {
    std::vector<Judgement> judged;
    for (const Change& c : changes) {
      judged.push_back(c.free ? Judgement{arena_.falsehood(), arena_.falsehood(), true, nullptr}
                              : judge_.judge(by, facts_, c.formula, under));
      if (judged.back().impossible) assume(arena_.negate(judged.back().impossible), where);
    }
    // What is overwritten before it is read is kept aside.
    Substitution aside;
    std::vector<Term> targets;
    for (const Change& c : changes) targets.push_back(scope_.variables[c.predicate]);
    for (std::size_t i = 0; i < changes.size(); ++i)
      for (std::size_t later = i + 1; later < changes.size(); ++later)
        for (Term read : variables(std::vector<Term>{judged[later].yes, judged[later].no}))
          if (read == targets[i] && !aside.contains(read)) {
            while (aside_.size() <= aside.size())
              aside_.push_back(local(fmt::format("old{}", aside_.size() + 1)));
            const Term place = aside_[aside.size()];
            out_->push_back(
                {.kind = StatementKind::Assign, .target = place, .value = read, .where = where});
            aside[read] = place;
          }
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      Judgement& j = judged[i];
      if (j.open) open.push_back(changes[i].predicate);
      if (j.open && is_false(j.yes) && is_false(j.no)) {
        havoc(targets[i], where, changes[i].free.value_or(Chooser::Unknown));
        continue;
      }
      // Before its own assignment a variable still has its old value.
      Substitution before = aside;
      before.erase(targets[i]);
      j.yes = substitute(arena_, j.yes, before);
      j.no = substitute(arena_, j.no, before);
      const Term value = three_valued(j, 0, where);
      if (value != targets[i])
        out_->push_back(
            {.kind = StatementKind::Assign, .target = targets[i], .value = value, .where = where});
    }
    if (!open.empty()) assume(judge_.consistent(scope_, facts_, open), where);
  }

  std::vector<std::size_t> about(const std::vector<Term>& written) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < scope_.predicates.size(); ++i)
      for (Term v : variables(scope_.predicates[i]))
        if (std::ranges::find(written, v) != written.end()) {
          found.push_back(i);
          break;
        }
    return found;
  }

  const Type& type_of(Term variable) const {
    if (const Variable* v = from_.find_local(variable->name); v && v->term == variable)
      return v->type;
    return module_.state[*module_.state_index(variable)].type;
  }

  Term later(Term variable) { return arena_.var(variable->name + "'", variable->sort); }

  /// Any values of their types for some variables.
  void choose(const std::vector<Term>& written, Term more, Chooser chooser, const Location& where) {
    Substitution after;
    std::vector<Term> under{more};
    for (Term v : written) {
      after[v] = later(v);
      under.push_back(value_facts(arena_, type_of(v), later(v)));
    }
    std::vector<Change> changes;
    for (std::size_t i : about(written)) {
      const Term p = scope_.predicates[i];
      const bool exact = p->op == Op::Var && chooser != Chooser::Unknown;
      changes.push_back({i, push_reads(arena_, substitute(arena_, p, after)),
                         exact ? std::optional(Chooser::Environment) : std::nullopt});
    }
    change(changes, arena_.conj(std::move(under)), where);
  }

  /// Parameters have any value, locals that of their type.
  void enter() {
    Substitution defaults;
    for (const Variable& v : from_.locals) defaults[v.term] = default_term(arena_, v.type);
    std::vector<Term> parameters;
    for (const Variable& v : from_.parameters) {
      parameters.push_back(v.term);
      defaults[v.term] = later(v.term);
    }
    std::vector<Change> changes;
    for (std::size_t i = state_predicates_; i < scope_.predicates.size(); ++i) {
      const Term p = scope_.predicates[i];
      const bool exact = std::ranges::find(parameters, p) != parameters.end();
      changes.push_back({i, push_reads(arena_, substitute(arena_, p, defaults)),
                         exact ? std::optional(Chooser::Environment) : std::nullopt});
    }
    std::vector<Term> under;
    for (const Variable& v : from_.parameters)
      under.push_back(value_facts(arena_, v.type, later(v.term)));
    // Derived predicates mean nothing yet, so only those about the state are asked.
    JudgedPredicates state = scope_;
    state.predicates.resize(state_predicates_);
    state.variables.resize(state_predicates_);
    change(changes, arena_.conj(std::move(under)), {}, state);
  }

  void statement(const Statement& s) {
    switch (s.kind) {
    case StatementKind::Assume: assume_concrete(s.value, s.where); break;
    case StatementKind::Assign: {
      Term fits = in_type(arena_, type_of(s.target), s.value,
                          [this](Term variable) { return &type_of(variable); });
      if (!fits) fits = arena_.truth();
      std::vector<Change> changes;
      for (std::size_t i : about({s.target})) {
        const Term p = scope_.predicates[i];
        const Term wp = push_reads(arena_, substitute(arena_, p, {{s.target, s.value}}));
        if (wp != p) changes.push_back({i, wp});
      }
      change(changes, fits, s.where);
      break;
    }
    case StatementKind::Havoc: choose({s.target}, arena_.truth(), s.chooser, s.where); break;
    case StatementKind::New: {
      std::vector<Term> differs{arena_.ne(later(s.target), arena_.null())};
      for (const StateVariable& v : module_.state)
        if (v.type.sort == arena_.ref_sort()) differs.push_back(arena_.ne(later(s.target), v.term));
      choose({s.target}, arena_.conj(std::move(differs)), Chooser::Unknown, s.where);
      break;
    }
    }
  }

  void assume_concrete(Term condition, const Location& where) {
    const Judgement j = judge_.judge(scope_, facts_, push_reads(arena_, condition), arena_.truth());
    assume(j.open ? arena_.negate(j.no) : j.yes, where);
  }

  /// At the head of a loop, what the loop writes may have any value that keeps the invariant.
  void cut(const std::set<BlockId>& members, BlockId head) {
    std::vector<Term> written;
    for (BlockId b : members)
      for (const Statement& s : from_.blocks[b].statements)
        if (s.target && std::ranges::find(written, s.target) == written.end())
          written.push_back(s.target);
    choose(written, arena_.truth(), Chooser::Unknown, {});
    if (auto known = invariants_.find(fmt::format("{}/{}", call_.name, head));
        known != invariants_.end())
      assume_concrete(known->second, {});
  }

  // Terminators

  Terminator terminator(const Terminator& end, const BlockCopy& copy) {
    auto target = [&](std::size_t i) -> BlockId {
      if (!copy.edges[i].beyond) return static_cast<BlockId>(copy.edges[i].to);
      loops_ = true;
      return loop_end;
    };
    Terminator made{.kind = end.kind, .procedure = end.procedure, .where = end.where};
    switch (end.kind) {
    case TerminatorKind::Goto: made.next = target(0); break;
    case TerminatorKind::Branch: {
      made.value =
          three_valued(judge_.judge(scope_, facts_, push_reads(arena_, end.value), arena_.truth()),
                       0, end.where);
      // A way that cannot be taken still is one: the outcomes behind it are the client's alphabet.
      if (made.value->op == Op::BoolConst) {
        if (!decided_) decided_ = local("decided");
        out_->push_back({.kind = StatementKind::Assign, .target = decided_, .value = made.value});
        made.value = decided_;
      }
      made.next = target(0);
      made.other = target(1);
      break;
    }
    case TerminatorKind::Error: made.name = end.name; break;
    case TerminatorKind::Return:
    case TerminatorKind::Throw: leave(end, made); break;
    case TerminatorKind::Call: should(false, "a component's body should be free of calls");
    }
    return made;
  }

  /// Returns or throws what tells the client the same outcome.
  void leave(const Terminator& end, Terminator& made) {
    const auto& outcomes = call_.outcomes;
    const std::string& name = outcomes[end.outcome < 0 ? 0 : static_cast<std::size_t>(end.outcome)];
    if (made_.kind == ProcedureKind::Constructor && end.kind == TerminatorKind::Return) return;
    if (name == "any") {
      made.kind = TerminatorKind::Return;
      return;
    }
    if (end.kind == TerminatorKind::Throw) {
      for (std::size_t i = 0; i < module_.exceptions.size(); ++i)
        if ("throws=" + simple_name(module_.exceptions[i].name) == name) {
          made.value = arena_.enumerator(module_.exception_sort, i);
          return;
        }
      should(false, "an outcome should name an exception");
    }
    if (tells_conditions(call_)) {
      // A number that stands for the condition: outcomes are in the same order then.
      made_.returns = Type{.sort = arena_.int_sort()};
      made.value = arena_.integer(end.outcome < 0 ? 0 : end.outcome);
      return;
    }
    if (!name.starts_with("returns=")) return;
    const std::string text = name.substr(8);
    const bool number =
        from_.returns->sort->kind == SortKind::Int || from_.returns->sort->kind == SortKind::Ref;
    made_.returns = number ? Type{.sort = arena_.int_sort()} : Type{.sort = from_.returns->sort};
    made.value =
        text == "other" ? other(end.where) : returned_constant(arena_, *from_.returns, text);
    should(made.value, "an outcome should name a value");
  }

  /// A number that no outcome names.
  Term other(const Location& where) {
    if (!other_) {
      Integer above = 0;
      for (const std::string& name : call_.outcomes)
        if (name.starts_with("returns=") && name != "returns=other")
          if (const Term c = returned_constant(arena_, *from_.returns, name.substr(8));
              c && c->number >= above)
            above = c->number + 1;
      made_.locals.push_back({arena_.var("other", arena_.int_sort()),
                              {.sort = arena_.int_sort(), .low = above, .high = above}});
      other_ = made_.locals.back().term;
    }
    havoc(other_, where);
    return other_;
  }

  /// Rounds of a loop after the first lead nowhere: the head stands for all of them.
  void close_loops() {
    if (!loops_) return;
    const auto last = static_cast<BlockId>(made_.blocks.size());
    Block end{{{.kind = StatementKind::Assume, .value = arena_.falsehood()}}, {}};
    for (const Block& b : made_.blocks)
      if (b.end.kind == TerminatorKind::Return || b.end.kind == TerminatorKind::Throw ||
          b.end.kind == TerminatorKind::Error)
        end.end = b.end;
    if (other_ && end.end.value == other_)
      end.statements.push_back(
          {.kind = StatementKind::Havoc, .target = other_, .chooser = Chooser::Unknown});
    for (Block& b : made_.blocks) {
      if (b.end.next == loop_end) b.end.next = last;
      if (b.end.other == loop_end) b.end.other = last;
    }
    made_.blocks.push_back(std::move(end));
  }

  static constexpr BlockId loop_end = ~BlockId{0};

  const Module& module_;
  TermArena& arena_;
  const Call& call_;
  const Procedure& from_;
  PredicateJudge& judge_;
  JudgedPredicates scope_;
  std::size_t state_predicates_;
  const std::map<std::string, Term>& invariants_;
  std::vector<Term> own_; // parameters and locals
  Term facts_ = nullptr;
  Procedure made_;
  std::vector<Statement>* out_ = nullptr;
  std::vector<Term> any_, aside_;
  Term other_ = nullptr, decided_ = nullptr;
  bool loops_ = false;
};

} // namespace

Term BooleanProgram::meaning(Term formula) const {
  Substitution by;
  for (std::size_t i = 0; i < predicates.size(); ++i) by[module.state[i].term] = predicates[i];
  return substitute(*module.arena, formula, by);
}

Result<BooleanProgram> boolean_program(const Component& component,
                                       const std::vector<Term>& predicates,
                                       const std::map<std::string, Term>& invariants,
                                       Solver& solver) {
  TermArena& arena = component.arena();
  const Module& from = component.module();
  BooleanProgram result;
  result.predicates = predicates;
  Module& made = result.module;
  made.arena = from.arena;
  made.name = from.name;
  made.enums = from.enums;
  made.exceptions = from.exceptions;
  made.exception_sort = from.exception_sort;

  JudgedPredicates scope;
  Substitution initial;
  for (const StateVariable& v : from.state)
    if (v.initial) initial[v.term] = v.initial;
  const Term facts = state_facts(component);
  PredicateJudge judge(arena, solver);
  std::vector<std::size_t> open;
  for (Term p : predicates) {
    std::string name = name_of(p);
    while (made.find_state(name)) name += "'";
    StateVariable variable;
    variable.term = arena.var(name, arena.bool_sort());
    variable.type = {.sort = arena.bool_sort()};
    const Term first = push_reads(arena, substitute(arena, p, initial));
    if (solver.check({facts, arena.negate(first)}) == Truth::Unsat)
      variable.initial = arena.truth();
    else if (solver.check({facts, first}) == Truth::Unsat)
      variable.initial = arena.falsehood();
    else
      open.push_back(scope.predicates.size());
    scope.predicates.push_back(p);
    scope.variables.push_back(variable.term);
    made.state.push_back(std::move(variable));
  }
  const Term at_start = judge.consistent(scope, facts, open);
  result.variables = predicates.size();
  auto abstract = [&](const Call& call, Term before) -> Result<void> {
    BodyAbstractor body(component, call, judge, scope, invariants);
    auto procedure = body.run(before);
    if (!procedure) return std::unexpected(procedure.error());
    result.derived += body.derived();
    result.variables += procedure->locals.size();
    made.procedures.push_back(std::move(*procedure));
    return {};
  };
  for (const Call& c : component.constructors())
    if (auto done = abstract(c, at_start); !done) return std::unexpected(done.error());
  for (const Call& c : component.calls())
    if (auto done = abstract(c, nullptr); !done) return std::unexpected(done.error());
  return result;
}

Result<Component> abstract_component(const Component& component, const BooleanProgram& program) {
  auto built = build_component(program.module, {});
  if (!built) return built;
  should(built->letters() == component.letters(),
         "an abstraction should have no outcomes of its own");
  for (std::size_t l = 0; l < component.letters(); ++l) {
    const CallOutcome here = component.letter(l), there = built->letter(l);
    const std::string& name = component.calls()[here.call].outcomes[here.outcome];
    const std::string& made = built->calls()[there.call].outcomes[there.outcome];
    should(component.calls()[here.call].name == built->calls()[there.call].name &&
               (made == name || (name == "any" && made == "returns") ||
                (tells_conditions(component.calls()[here.call]) &&
                 made == fmt::format("returns={}", here.outcome)) ||
                (name == "returns=null" && made == "returns=0")),
           "an abstraction should have the component's letters");
  }
  return built;
}

} // namespace tacit
