// What the engines over predicates work with: the formulas of one component, the solver that is
// asked about them, and what the component itself, not an abstraction of it, says about a word.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "abstraction/formula/path.h"
#include "abstraction/maymust/may_must.h"
#include "logic/z3/eliminate.h"
#include "synthesis/predicate/strategy.h"

namespace tacit {

/// Whether a word can happen, or the call behind it can err.
enum class Fact {
  Yes,
  No,
  Both,    // it errs in one run along the word and not in another
  Unclear, // only by values hidden behind an approximation, or in a loop without a bound
};

class PredicateSetting {
public:
  /// Fails on what cannot be put into formulas, or when the budget runs out on the way. All outlive
  /// the setting.
  static Result<std::unique_ptr<PredicateSetting>> create(const Component& component,
                                                          const SynthesisOptions& options,
                                                          const Strategy& strategy, Budget& budget,
                                                          LoopEffort loops = LoopEffort::Full);

  const Component& component() const { return component_; }
  TermArena& arena() const { return component_.arena(); }
  const SynthesisOptions& options() const { return options_; }
  const Story& story() const { return options_.story; }
  const Strategy& strategy() const { return strategy_; }
  Budget& budget() const { return budget_; }
  Solver& solver() const { return *solver_; }
  Eliminator& eliminator() { return eliminator_; }
  ComponentFormulas& formulas() const { return *formulas_; }
  ErrorGoals& goals() { return *goals_; }
  /// The variables of the state, and what holds of them everywhere.
  const std::vector<Term>& state() const { return state_; }
  Term facts() const { return formulas_->facts(); }

  /// Loop invariants in terms of these predicates; to be called before an abstraction over them is
  /// made. Goals that were found with others are forgotten.
  Result<void> use_invariants(const std::vector<Term>& predicates);
  /// A formula that says the same wherever the facts hold. Long where the time is up.
  Term shorter(Term formula, Solver& solver) const;

  // What the component says about a trace.
  /// The word cannot happen, or the call behind it cannot err.
  bool never(const Trace& trace) const;
  /// Whether it can happen, or the call err: Yes, No or Unclear.
  Fact judge(const Trace& trace) const;
  /// Whether the call errs, whatever run led there: Yes, No or, as far as is known, Both.
  Fact classify(const Trace& trace) const;

  bool out_of_budget() const { return budget_.exhausted_now(); }
  std::string budget_text() const { return "the budget ran out: " + budget_.reason(); }
  std::string text(const Trace& trace) const { return to_text(component_, trace); }

private:
  PredicateSetting(const Component& component, const SynthesisOptions& options,
                   const Strategy& strategy, Budget& budget);
  Path along(const Trace& trace, Side side) const;
  Truth possible(const Trace& trace, Side side) const;
  bool always(const Trace& trace) const;

  const Component& component_;
  const SynthesisOptions& options_;
  Strategy strategy_;
  Budget& budget_;
  std::unique_ptr<Solver> solver_;
  Eliminator eliminator_;
  std::unique_ptr<ComponentFormulas> formulas_;
  std::unique_ptr<ErrorGoals> goals_;
  std::vector<Term> state_;
};

} // namespace tacit
