#include "program/contracts/apply.h"

#include "program/contracts/instantiate.h"
#include "program/contracts/read.h"

namespace tacit {

namespace {

/// Facts about an object behind a reference are fields of a record of the module.
ContractSite site_in(const Module& module, const Procedure& callee) {
  ContractSite site;
  site.fact = [&](std::size_t parameter, Term object, const std::string& fact) -> Term {
    const std::string& record = callee.parameters[parameter].type.record;
    const StateVariable* map = record.empty() ? nullptr : module.find_state(record + "." + fact);
    return map ? module.arena->select(map->term, object) : nullptr;
  };
  site.hook = [&](const std::string& name) {
    return module.find_procedure(name) ? name : std::string();
  };
  return site;
}

} // namespace

Result<std::size_t> add_contracts(Module& module, std::string_view text, const std::string& file) {
  const auto contracts = read_contracts(text, file, {.scope = &module});
  if (!contracts) return std::unexpected(contracts.error());
  std::size_t used = 0;
  for (Procedure& callee : module.procedures) {
    if (callee.kind != ProcedureKind::Extern && callee.kind != ProcedureKind::Internal) continue;
    const auto named = contracts->named(callee.name);
    if (named.empty()) continue;
    const Contract* contract =
        contracts->find(callee.name, shape_of(callee.parameters, callee.returns));
    if (!contract)
      return fail(named.front()->where(),
                  "the contract of '{}' does not fit its calls: they have {} arguments and {} "
                  "result",
                  callee.name, callee.parameters.size(), callee.returns ? "a" : "no");
    const ContractSite site = site_in(module, callee);
    if (!can_instantiate(*contract, callee.parameters, site)) continue;
    auto made = instantiate(*contract, module, callee, site);
    if (!made) return std::unexpected(made.error());
    callee = std::move(*made);
    ++used;
  }
  return used;
}

} // namespace tacit
