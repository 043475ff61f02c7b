#include "program/graph/uses.h"

namespace tacit {

void add_variables(VariableSet& set, Term term) {
  if (!term) return;
  for (const Term v : variables(term)) set.insert(v);
}

VariableSet mentioned(const Procedure& procedure) {
  VariableSet all;
  each_read(procedure, [&](Term value, Term) { add_variables(all, value); });
  each_write(procedure, [&](Term target, Term) { all.insert(target); });
  return all;
}

void drop_unused_locals(Procedure& procedure) {
  const VariableSet used = mentioned(procedure);
  std::erase_if(procedure.locals, [&](const Variable& v) { return !used.contains(v.term); });
}

void keep_state(Module& module, const std::function<bool(const StateVariable&)>& wanted) {
  std::erase_if(module.state, [&](const StateVariable& v) { return !wanted(v); });
  drop_lost_fields(module);
}

void drop_lost_fields(Module& module) {
  for (Record& r : module.records)
    std::erase_if(r.fields, [&](const auto& field) {
      return module.find_state(r.name + "." + field.first) == nullptr;
    });
}

} // namespace tacit
