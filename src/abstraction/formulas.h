// A component as formulas: the steps of its letters, the errors of its calls and the states it
// starts in. Built once; all abstractions of the component share it.
#pragma once

#include <memory>

#include "abstraction/body_formula.h"

namespace tacit {

class ComponentFormulas {
public:
  /// Fails on what cannot be put into formulas, with the reason.
  static Result<std::unique_ptr<ComponentFormulas>> create(const Component& component);

  const Component& component() const { return component_; }
  TermArena& arena() const { return component_.arena(); }

  const BodyFormula& body(std::size_t call) const { return calls_[call]; }
  const BodyFormula& constructor(std::size_t index) const { return constructors_[index]; }
  const StepFormula& letter(std::size_t index) const { return letters_[index]; }
  /// A constructor's normal returns, from the state before it: see initial().
  const StepFormula& start(std::size_t constructor) const { return starts_[constructor]; }
  /// The error of a call or constructor, inputs free.
  Term errs(std::size_t call) const { return errs_[call]; }
  Term constructor_errs(std::size_t constructor) const { return constructor_errs_[constructor]; }
  /// State variables before any constructor: those with an initial value mapped to it.
  const Substitution& initial() const { return initial_; }
  /// Ranges of the state variables.
  Term facts() const { return facts_; }
  std::vector<Term> inputs(const BodyFormula& body) const;
  /// Whether something in the body is known only from above.
  bool approximate(const BodyFormula& body) const;

private:
  explicit ComponentFormulas(const Component& component) : component_(component) {}

  const Component& component_;
  std::vector<BodyFormula> calls_, constructors_;
  std::vector<StepFormula> letters_, starts_;
  std::vector<Term> errs_, constructor_errs_;
  Substitution initial_;
  Term facts_ = nullptr;
};

} // namespace tacit
