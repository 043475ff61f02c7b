#include "frontend/llvm/contract_use.h"

#include "program/contracts/read.h"

namespace tacit {

namespace {

/// What an extern is a call of, and on which object.
struct Spoken {
  std::string function, object;
};

Spoken spoken_of(const Procedure& procedure) {
  return {contract_key(procedure.shown_name(), procedure.made_by), procedure.object};
}

/// The first contract that fits and speaks of nothing that is not kept.
const Contract* usable(const Contracts& contracts, const std::string& function,
                       const std::vector<Variable>& parameters, const std::optional<Type>& returns,
                       const ContractSite& site) {
  CallShape shape = shape_of(parameters, returns);
  shape.type_arguments = site.type_arguments;
  const Contract* contract = contracts.find(function, shape);
  if (!contract || contract->attributes.contains(Attribute::LookInto)) return nullptr;
  return can_instantiate(*contract, parameters, site) ? contract : nullptr;
}

} // namespace

std::string contract_key(const std::string& function, const std::string& made_by) {
  return made_by.empty() ? function : function + "<-" + made_by;
}

ContractSite ContractUse::site(const Module& module, const std::string& object) const {
  ContractSite made;
  if (const auto known = objects_.find(object); known != objects_.end())
    made.type_arguments = known->second;
  made.fact = [&module, object](std::size_t parameter, Term, const std::string& fact) -> Term {
    if (parameter != 0 || object.empty()) return nullptr;
    const StateVariable* kept = module.find_state(object + "." + fact);
    return kept ? kept->term : nullptr;
  };
  return made;
}

bool ContractUse::tells(const Module& module, const std::string& name, const std::string& object,
                        const std::vector<Variable>& parameters,
                        const std::optional<Type>& returns) {
  if (!usable(library_->all, name, parameters, returns, site(module, object))) return false;
  told_.insert(name + "@" + object);
  return true;
}

Result<void>
ContractUse::apply(Module& module,
                   const std::vector<std::pair<std::string, std::string>>& files) const {
  Contracts given;
  for (const auto& [file, text] : files) {
    auto read = read_contracts(text, file, {.scope = &module});
    if (!read) return std::unexpected(read.error());
    given.append(*read);
  }
  Contracts all = given;
  all.append(shipped_contracts());
  std::map<std::string, const Procedure*> misfits;
  std::set<std::string> used;
  for (Procedure& procedure : module.procedures) {
    if (procedure.kind != ProcedureKind::Extern || !procedure.blocks.empty() ||
        !procedure.beside.empty())
      continue;
    const Spoken spoken = spoken_of(procedure);
    const ContractSite where = site(module, spoken.object);
    if (const Contract* contract =
            usable(all, spoken.function, procedure.parameters, procedure.returns, where)) {
      auto made = instantiate(*contract, module, procedure, where);
      if (!made) return std::unexpected(made.error());
      procedure = std::move(*made);
      used.insert(spoken.function);
    } else {
      misfits.emplace(spoken.function, &procedure);
      if (told_.contains(spoken.function + "@" + spoken.object))
        return fail("the contract of '{}' does not fit its calls", spoken.function);
    }
  }
  // A name of the user's that fits no call at all is a mistake.
  for (const auto& [name, procedure] : misfits)
    if (const auto meant = given.named(name); !meant.empty() && !used.contains(name))
      return fail(
          meant.front()->where(),
          "the contract of '{}' does not fit its calls: they have {} arguments and {} result", name,
          procedure->parameters.size(), procedure->returns ? "a" : "no");
  return {};
}

} // namespace tacit
