// What the letters of a refined component mean for the component itself, as formulas.
#pragma once

#include "abstraction/formula/formulas.h"
#include "component/refine.h"

namespace tacit {

class VariantFormulas {
public:
  /// Of the component before it was refined; they outlive this.
  explicit VariantFormulas(ComponentFormulas& formulas)
      : formulas_(formulas), component_(formulas.component()), arena_(formulas.arena()) {}

  /// What the outcome of a call returns; null: nothing.
  Term returned(const CallFormulas& formulas, std::size_t outcome) const;
  /// Over the inputs of the formulas instead of what receives them.
  Term with_inputs(const CallFormulas& formulas, const Procedure& body, Term term) const;

  /// From a state of the label, `call` steps with an outcome within a cell (over what receives the
  /// arguments, `result` and the state).
  Term taken(Term label, std::size_t call, std::size_t outcome, Term cell) const;
  /// A constructor makes an object within the condition of a variant.
  Term started(std::size_t constructor, const CallVariant& variant) const;

private:
  ComponentFormulas& formulas_;
  const Component& component_;
  TermArena& arena_;
};

} // namespace tacit
