#include "synthesis/predicate/setting.h"

#include <algorithm>

#include "logic/solver/simplify.h"
#include "logic/z3/z3_solver.h"

namespace tacit {

PredicateSetting::PredicateSetting(const Component& component, const SynthesisOptions& options,
                                   const Strategy& strategy, Budget& budget)
    : component_(component), options_(options), strategy_(strategy), budget_(budget),
      solver_(make_z3_solver({.budget = &budget})),
      eliminator_(component.arena(), {.budget = &budget}) {
  for (const StateVariable& v : component.module().state) state_.push_back(v.term);
}

Result<std::unique_ptr<PredicateSetting>>
PredicateSetting::create(const Component& component, const SynthesisOptions& options,
                         const Strategy& strategy, Budget& budget, LoopEffort loops) {
  auto made =
      std::unique_ptr<PredicateSetting>(new PredicateSetting(component, options, strategy, budget));
  auto formulas = ComponentFormulas::create(component, *made->solver_, made->eliminator_, loops);
  if (!formulas) return std::unexpected(formulas.error());
  made->formulas_ = std::move(*formulas);
  made->goals_ = std::make_unique<ErrorGoals>(*made->formulas_, *made->solver_);
  return made;
}

Result<void> PredicateSetting::use_invariants(const std::vector<Term>& predicates) {
  if (!formulas_->has_cuts()) return {};
  goals_->forget();
  if (auto found = formulas_->find_invariants(predicates); !found)
    return std::unexpected(found.error());
  return {};
}

Term PredicateSetting::shorter(Term formula, Solver& solver) const {
  constexpr double overtime = 1.05; // of the time, for what is written at the end
  const auto limit = budget_.limits().seconds;
  if (&solver == solver_.get() && limit && budget_.seconds_spent() > overtime * *limit)
    return formula;
  return simplify(arena(), solver, facts(), formula);
}

Path PredicateSetting::along(const Trace& trace, Side side) const {
  Path path(*formulas_, trace.constructor, side);
  for (std::size_t l : trace.letters) path.extend(l);
  return path;
}

Truth PredicateSetting::possible(const Trace& trace, Side side) const {
  const Path path = along(trace, side);
  auto conditions = path.conditions();
  if (trace.call) {
    const CallFormulas& last = formulas_->call(*trace.call, side);
    conditions.push_back(path.at_end(last.errs, &last.body));
  }
  return solver_->check(conditions);
}

bool PredicateSetting::never(const Trace& trace) const {
  return possible(trace, Side::Above) == Truth::Unsat;
}

/// Every run along the word ends where some choice makes the call err, and there is a run.
bool PredicateSetting::always(const Trace& trace) const {
  const Path path = along(trace, Side::Below);
  const CallFormulas& last = formulas_->call(*trace.call, Side::Below);
  const Term errs = path.at_end(last.errs, &last.body);
  auto conditions = path.conditions();
  conditions.push_back(errs);
  if (solver_->check(conditions) != Truth::Sat) return false;
  // What is hidden on the way only adds runs; what is hidden in the call is no choice.
  std::vector<Term> choices;
  const auto mentioned = variables(errs);
  for (const FormulaInput& input : last.body.inputs)
    if (const Term there = path.at_end(input.variable, &last.body);
        input.chooser != Chooser::Unknown && std::ranges::count(mentioned, there))
      choices.push_back(there);
  conditions.pop_back();
  if (!choices.empty())
    return solver_->refute_forall_exists(conditions, errs, choices) == Truth::Unsat;
  conditions.push_back(arena().negate(errs));
  return solver_->check(conditions) == Truth::Unsat;
}

Fact PredicateSetting::judge(const Trace& trace) const {
  if (never(trace)) return Fact::No;
  bool exact = !trace.call || !formulas_->approximate(*trace.call);
  for (std::size_t l : trace.letters)
    exact = exact && !formulas_->approximate(component_.letter(l).call);
  return exact && possible(trace, Side::Below) == Truth::Sat ? Fact::Yes : Fact::Unclear;
}

Fact PredicateSetting::classify(const Trace& trace) const {
  if (never(trace)) return Fact::No;
  return always(trace) ? Fact::Yes : Fact::Both;
}

} // namespace tacit
