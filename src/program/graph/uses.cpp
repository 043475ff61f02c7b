#include "program/graph/uses.h"

#include <algorithm>

namespace tacit {

void add_variables(VariableSet& set, Term term) {
  if (!term) return;
  for (const Term v : variables(term)) set.insert(v);
}

bool all_in(const VariableSet& set, Term term) {
  return std::ranges::all_of(variables(term), [&](Term v) { return set.contains(v); });
}

VariableSet mentioned(const Procedure& procedure) {
  VariableSet all;
  each_read(procedure, [&](Term value, Term) { add_variables(all, value); });
  each_write(procedure, [&](Term target, Term) { all.insert(target); });
  return all;
}

void keep_state(Module& module, const std::function<bool(const StateVariable&)>& wanted) {
  std::erase_if(module.state, [&](const StateVariable& v) { return !wanted(v); });
  for (Record& r : module.records)
    std::erase_if(r.fields, [&](const auto& field) {
      return module.find_state(r.name + "." + field.first) == nullptr;
    });
}

} // namespace tacit
