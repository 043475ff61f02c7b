#include "synthesis/alphabet/variant_formulas.h"

#include "abstraction/formula/arguments.h"
#include "abstraction/formula/predicates.h"

namespace tacit {

Term VariantFormulas::returned(const CallFormulas& formulas, std::size_t outcome) const {
  std::vector<const FormulaExit*> exits;
  for (const FormulaExit& exit : formulas.body.exits)
    if (!exit.error && exit.outcome == outcome && exit.value) exits.push_back(&exit);
  if (exits.empty()) return nullptr;
  Term value = exits.back()->value;
  for (std::size_t i = exits.size() - 1; i-- > 0;)
    if (exits[i]->value->sort == value->sort)
      value = arena_.ite(exits[i]->guard, exits[i]->value, value);
  return value;
}

Term VariantFormulas::with_inputs(const CallFormulas& formulas, const Procedure& body,
                                  Term term) const {
  Substitution by;
  for (const FormulaInput& input : formulas.body.inputs)
    if (input.chooser == Chooser::Client)
      by[receiver_of(body, formulas.body, input)] = input.variable;
  return substitute(arena_, term, by);
}

Term VariantFormulas::taken(Term label, std::size_t call, std::size_t outcome, Term cell) const {
  const CallFormulas& formulas = formulas_.call(call, Side::Above);
  const Procedure& body = component_.body(component_.calls()[call]);
  if (const Term value = returned(formulas, outcome))
    cell = replaced(arena_, cell, result_variable(arena_, value->sort), value);
  return arena_.conj({formulas_.facts(), label, formulas.outcomes[outcome].guard,
                      with_inputs(formulas, body, cell)});
}

Term VariantFormulas::started(std::size_t k, const CallVariant& variant) const {
  const CallFormulas& formulas = formulas_.constructor(k, Side::Above);
  const Procedure& body = component_.body(component_.constructors()[k]);
  return substitute(
      arena_, arena_.conj({formulas.outcomes[0].guard, with_inputs(formulas, body, variant.when)}),
      formulas_.initial());
}

} // namespace tacit
