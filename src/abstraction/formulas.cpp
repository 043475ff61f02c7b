#include "abstraction/formulas.h"

#include <algorithm>

namespace tacit {

Result<std::unique_ptr<ComponentFormulas>> ComponentFormulas::create(const Component& component) {
  std::unique_ptr<ComponentFormulas> made(new ComponentFormulas(component));
  TermArena& arena = component.arena();
  if (component.options().arguments == Arguments::Angelic)
    return fail("the angelic reading of arguments needs a finite component");
  for (std::size_t c = 0; c < component.calls().size(); ++c) {
    auto body =
        body_formula(component, component.body(component.calls()[c]), "c" + std::to_string(c));
    if (!body) return std::unexpected(body.error());
    made->calls_.push_back(std::move(*body));
    made->errs_.push_back(error_guard(arena, made->calls_.back()));
    for (std::size_t o = 0; o < component.calls()[c].outcomes.size(); ++o)
      made->letters_.push_back(outcome_step(arena, made->calls_.back(), o));
  }
  for (std::size_t k = 0; k < component.constructors().size(); ++k) {
    const Call& call = component.constructors()[k];
    auto body = body_formula(component, component.body(call), "k" + std::to_string(k));
    if (!body) return std::unexpected(body.error());
    made->constructors_.push_back(std::move(*body));
    made->constructor_errs_.push_back(error_guard(arena, made->constructors_.back()));
    made->starts_.push_back(
        combined_step(arena, made->constructors_.back(), [&](const FormulaExit& e) {
          return !call.outcomes[e.outcome].starts_with("throws");
        }));
  }
  for (const StateVariable& v : component.module().state)
    if (v.initial) made->initial_[v.term] = v.initial;
  made->facts_ = state_facts(component);
  return made;
}

std::vector<Term> ComponentFormulas::inputs(const BodyFormula& body) const {
  std::vector<Term> all;
  for (const FormulaInput& input : body.inputs) all.push_back(input.variable);
  return all;
}

bool ComponentFormulas::approximate(const BodyFormula& body) const {
  return !body.exact || std::ranges::any_of(body.inputs, [](const FormulaInput& input) {
    return input.chooser == Chooser::Unknown;
  });
}

} // namespace tacit
