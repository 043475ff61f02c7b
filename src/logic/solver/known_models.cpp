#include "logic/solver/known_models.h"

#include <algorithm>

namespace tacit {

void KnownModels::add(Solver& solver, std::span<const Term> variables) {
  Model model;
  for (Term v : variables) {
    const auto value = solver.value(v);
    if (!value) return;
    model.emplace(v, *value);
  }
  if (models_.size() >= most_) models_.pop_front();
  models_.push_back(std::move(model));
}

bool KnownModels::one_shows(std::span<const Term> all) const {
  return std::any_of(models_.rbegin(), models_.rend(), [&](const Model& model) {
    return std::all_of(all.rbegin(), all.rend(), [&](Term term) { return holds(model, term); });
  });
}

bool KnownModels::holds(const Model& model, Term term) {
  bool speaks = true;
  const auto value = evaluate(term, [&](Term v) {
    const auto at = model.find(v);
    speaks = speaks && at != model.end();
    return at == model.end() ? default_value(v->sort) : at->second;
  });
  return speaks && value && value->truth();
}

} // namespace tacit
