#include "abstraction/actions/infer_invariant.h"

#include <algorithm>
#include <set>

#include "abstraction/formula/houdini.h"
#include "abstraction/formula/predicates.h"
#include "logic/solver/simplify.h"

namespace tacit {
namespace {

constexpr std::size_t most_predicates = 24, most_cubes = 400;
constexpr std::size_t most_cube_queries = 1500, most_clause_queries = 400;
constexpr std::size_t most_enumerators = 16, most_template_variables = 5;

class Inference {
public:
  Inference(const ActionSystem& system, Solver& solver, Budget& budget)
      : system_(system), arena_(system.arena()), solver_(solver), budget_(budget),
        predicates_(system.arena()) {
    for (const StateVariable& v : system.component().module().state) state_.push_back(v.term);
  }

  Result<InferredInvariant> run() {
    choose_predicates();
    for (const ActionStart& start : system_.starts())
      steps_.push_back(
          {substitute(arena_, system_.facts(), system_.formulas().initial()), start.above, true});
    for (const Action& action : system_.actions())
      steps_.push_back({system_.facts(), action.step_above, false});
    auto cubes = by_cubes();
    if (!cubes) return std::unexpected(cubes.error());
    InferredInvariant made{*cubes, predicates_.all(), true};
    if (!made.invariant) {
      auto clauses = by_clauses();
      if (!clauses) return std::unexpected(clauses.error());
      made = {*clauses, predicates_.all(), false};
    }
    made.invariant = simplify(arena_, solver_, system_.facts(), made.invariant);
    return made;
  }

private:
  struct Step {
    Term before;
    StepFormula formula;
    bool start;
  };

  void add(Term predicate) {
    if (predicates_.size() < most_predicates) predicates_.add(predicate);
  }

  /// Atoms of enabledness first, then the variables' own values, comparisons, and what the bodies
  /// test; of these only what some call writes and enabledness depends on in the end.
  void choose_predicates() {
    for (const Action& action : system_.actions())
      for (Term atom : atoms(arena_, action.above)) add_if_state(atom);
    find_relevant();
    for (const StateVariable& v : system_.component().module().state)
      if (relevant_.contains(v.term)) add_values(v);
    compare_integers();
    for (const Action& action : system_.actions())
      for (Term atom : atoms(arena_, action.step_above.guard))
        if (std::ranges::any_of(variables(atom), [&](Term v) { return relevant_.contains(v); }))
          add_if_state(atom);
  }

  /// The state variables that enabledness depends on: directly, or through what is assigned as far
  /// as calls write them.
  void find_relevant() {
    std::set<Term> written, seen;
    std::vector<Term> queue;
    for (const Action& action : system_.actions()) {
      for (const auto& [variable, value] : action.step_above.after) written.insert(variable);
      for (Term v : variables(action.above)) {
        queue.push_back(v);
        relevant_.insert(v);
      }
    }
    for (Term v : relevant_)
      if (!written.contains(v)) constant_.insert(v);
    while (!queue.empty()) {
      const Term v = queue.back();
      queue.pop_back();
      if (!seen.insert(v).second) continue;
      if (written.contains(v)) relevant_.insert(v);
      for (const Action& action : system_.actions()) {
        const auto& after = action.step_above.after;
        const auto at = after.find(v);
        if (at == after.end()) continue;
        for (Term w : variables(at->second)) queue.push_back(w);
        for (Term w : variables(action.step_above.guard)) queue.push_back(w);
      }
    }
  }

  void add_if_state(Term atom) {
    for (Term v : variables(atom))
      if (std::ranges::find(state_, v) == state_.end()) return;
    add(atom);
  }

  void add_values(const StateVariable& v) {
    switch (v.type.sort->kind) {
    case SortKind::Bool: return add(v.term);
    case SortKind::Ref: return add(arena_.eq(v.term, arena_.null()));
    case SortKind::Enum: {
      const std::size_t count = v.type.sort->decl->values.size();
      if (count > most_enumerators) return;
      for (std::size_t i = 0; i + 1 < count; ++i)
        add(arena_.eq(v.term, arena_.enumerator(v.type.sort, i)));
      return;
    }
    default: return;
    }
  }

  void compare_integers() {
    std::vector<Term> numbers;
    for (const StateVariable& v : system_.component().module().state)
      if (v.type.sort->kind == SortKind::Int && !v.client && relevant_.contains(v.term))
        numbers.push_back(v.term);
    if (numbers.size() > most_template_variables) return;
    for (Term x : numbers) add(arena_.le(arena_.integer(0), x));
    for (Term x : numbers)
      if (constant_.contains(x)) add(arena_.lt(arena_.integer(0), x));
    for (Term x : numbers)
      for (Term y : numbers) {
        if (x == y) continue;
        add(arena_.le(x, y));
        add(arena_.eq(arena_.add(x, arena_.integer(1)), y));
      }
  }

  using Cube = std::vector<bool>; // per predicate

  /// Null when there are too many cubes. Each round looks only at what the last one found.
  Result<Term> by_cubes() {
    std::vector<Cube> cubes;
    const auto first = budget_.queries();
    Term reach = arena_.falsehood();
    for (std::size_t from = 0, round = 0; round == 0 || from < cubes.size(); ++round) {
      const std::size_t known = cubes.size();
      std::vector<Term> front;
      for (std::size_t i = from; i < known; ++i) front.push_back(term_of(cubes[i]));
      const Term source = arena_.disj(std::move(front));
      for (const Step& step : steps_) {
        if (step.start != (round == 0)) continue;
        std::vector<Term> after;
        for (Term p : predicates_.all()) after.push_back(substitute(arena_, p, step.formula.after));
        if (!step.start && after == predicates_.all()) continue; // it changes none of them
        std::vector<Term> assumptions{step.before, step.formula.guard,
                                      arena_.negate(substitute(arena_, reach, step.formula.after))};
        if (!step.start) assumptions.push_back(source);
        std::vector<Cube> fresh;
        const Enumeration ended = solver_.all_sat(assumptions, after, [&](const auto& values) {
          fresh.push_back(values);
          return cubes.size() + fresh.size() <= most_cubes;
        });
        if (ended == Enumeration::Unknown && budget_.exhausted_now())
          return fail("no invariant was inferred: {}", budget_.reason());
        if (ended != Enumeration::Complete || budget_.queries() > first + most_cube_queries)
          return Term(nullptr);
        std::vector<Term> more{reach};
        for (const Cube& cube : fresh) {
          cubes.push_back(cube);
          more.push_back(term_of(cube));
        }
        reach = arena_.disj(std::move(more));
      }
      from = known;
    }
    return in_short(cubes, reach);
  }

  Term literal(std::size_t predicate, bool value) {
    const Term p = predicates_.all()[predicate];
    return value ? p : arena_.negate(p);
  }
  Term term_of(const Cube& cube) {
    std::vector<Term> literals;
    for (std::size_t i = 0; i < cube.size(); ++i) literals.push_back(literal(i, cube[i]));
    return arena_.conj(std::move(literals));
  }

  /// Clauses of one or two literals that hold of all cubes, if they say as much as the cubes do.
  Term in_short(const std::vector<Cube>& cubes, Term reach) {
    const std::size_t count = predicates_.size();
    std::vector<Term> clauses;
    std::set<std::pair<std::size_t, bool>> fixed;
    const auto never = [&](const auto& wanted) { return std::ranges::none_of(cubes, wanted); };
    for (std::size_t i = 0; i < count; ++i)
      for (const bool value : {true, false})
        if (never([&](const Cube& c) { return c[i] != value; })) {
          clauses.push_back(literal(i, value));
          fixed.insert({i, value});
        }
    const auto is_fixed = [&](std::size_t i) {
      return fixed.contains({i, true}) || fixed.contains({i, false});
    };
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = i + 1; j < count && !is_fixed(i); ++j)
        for (const bool mine : {true, false})
          for (const bool theirs : {true, false})
            if (!is_fixed(j) &&
                never([&](const Cube& c) { return c[i] != mine && c[j] != theirs; }))
              clauses.push_back(arena_.disj(literal(i, mine), literal(j, theirs)));
    const Term together = arena_.conj(std::move(clauses));
    return solver_.check({system_.facts(), together, arena_.negate(reach)}) == Truth::Unsat
               ? together
               : reach;
  }

  Result<Term> by_clauses() {
    std::vector<ClauseSet> only{{.atoms = predicates_.all()}};
    ClauseSet& set = only.front();
    for (std::size_t a = 0; a < 2 * set.atoms.size(); ++a)
      for (std::size_t b = a; b < 2 * set.atoms.size(); ++b)
        if (a == b || a / 2 != b / 2) set.clauses.insert({a, b});
    std::vector<HoudiniStep> steps;
    for (const Step& step : steps_)
      steps.push_back({0, [&](Term atom) { return substitute(arena_, atom, step.formula.after); },
                       [&] {
                         std::vector<Term> all{step.before, step.formula.guard};
                         if (!step.start) all.push_back(set.conjunction(arena_));
                         return all;
                       }});
    switch (houdini(arena_, solver_, only, steps, most_clause_queries)) {
    case HoudiniEnd::TooMany: return fail("no invariant was inferred: it takes too many queries");
    case HoudiniEnd::Unknown:
      return fail("no invariant was inferred: {}", solver_.reason_unknown());
    case HoudiniEnd::Stable: break;
    }
    return set.conjunction(arena_);
  }

  const ActionSystem& system_;
  TermArena& arena_;
  Solver& solver_;
  Budget& budget_;
  PredicateSet predicates_;
  std::vector<Term> state_;
  std::set<Term> relevant_, constant_; // constant: that no call writes
  std::vector<Step> steps_;
};

} // namespace

Result<InferredInvariant> infer_invariant(const ActionSystem& system, Solver& solver,
                                          Budget& budget) {
  return Inference(system, solver, budget).run();
}

} // namespace tacit
