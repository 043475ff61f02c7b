#include "frontend/llvm/module/contract_use.h"

#include "program/contracts/read.h"

namespace tacit {

std::string contract_key(const std::string& function, const std::string& made_by) {
  return made_by.empty() ? function : function + "<-" + made_by;
}

ContractSite ContractUse::site(const Module& module, const ContractCall& call) const {
  ContractSite made;
  for (const std::string& object : call.objects)
    if (const auto known = objects_.find(object);
        known != objects_.end() && made.type_arguments.empty())
      made.type_arguments = known->second;
  made.fact = [this, &module, objects = call.objects](std::size_t parameter, Term,
                                                      const std::string& fact) -> Term {
    if (parameter >= objects.size() || objects[parameter].empty()) return nullptr;
    if (const auto known = constants_.find(objects[parameter]); known != constants_.end()) {
      const auto value = known->second.find(fact);
      return value == known->second.end() ? nullptr : module.arena->integer(value->second);
    }
    const StateVariable* kept = module.find_state(objects[parameter] + "." + fact);
    return kept ? kept->term : nullptr;
  };
  return made;
}

/// The first contract that fits and speaks of nothing that is not kept.
const Contract* ContractUse::usable(const Contracts& contracts, const Module& module,
                                    const ContractCall& call) const {
  const ContractSite where = site(module, call);
  CallShape shape = shape_of(call.parameters, call.returns);
  shape.type_arguments = where.type_arguments;
  for (std::size_t i = 0; i < call.classes.size(); ++i)
    shape.parameters[i].object_class = call.classes[i];
  for (const Contract* contract : contracts.named(call.function)) {
    if (!fits(*contract, shape)) continue;
    if (contract->attributes.contains(Attribute::LookInto)) return nullptr;
    if (can_instantiate(*contract, call.parameters, where)) return contract;
  }
  return nullptr;
}

std::optional<std::set<std::size_t>> ContractUse::tells(const Module& module,
                                                        const ContractCall& call) const {
  const Contract* contract = usable(library_->all, module, call);
  if (!contract) return std::nullopt;
  std::set<std::size_t> spoken;
  for (const Contract::Mention& mention : contract->facts) spoken.insert(mention.parameter);
  // What a contract has nothing to say about, of an object that it names, stays as it is.
  for (std::size_t i = 0; i < contract->parameters.size(); ++i)
    if (contract->parameters[i].name == "self" || contract->parameters[i].object_class)
      spoken.insert(i);
  return spoken;
}

std::set<std::size_t> ContractUse::speaks_of(const Module& module, const ContractCall& call,
                                             const std::string& fact) const {
  std::set<std::size_t> found;
  if (const Contract* contract = usable(library_->all, module, call))
    for (const Contract::Mention& mention : contract->facts)
      if (mention.fact == fact) found.insert(mention.parameter);
  return found;
}

bool ContractUse::makes(const Module& module, const ContractCall& call) const {
  const Contract* contract = usable(library_->all, module, call);
  return contract && !contract->parameters.empty() && contract->parameters[0].name == made_object;
}

void ContractUse::use(const std::string& procedure, ContractCall call, bool told) {
  uses_[procedure] = {std::move(call), told};
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
    const auto known = uses_.find(procedure.name);
    const ContractCall call =
        known != uses_.end()
            ? known->second.call
            : ContractCall{.function = contract_key(procedure.shown_name(), procedure.made_by),
                           .objects = {procedure.object},
                           .classes = {},
                           .parameters = procedure.parameters,
                           .returns = procedure.returns};
    if (const Contract* contract = usable(all, module, call)) {
      auto made = instantiate(*contract, module, procedure, site(module, call));
      if (!made) return std::unexpected(made.error());
      procedure = std::move(*made);
      used.insert(call.function);
    } else {
      misfits.emplace(call.function, &procedure);
      if (known != uses_.end() && known->second.told)
        return fail("the contract of '{}' does not fit its calls", call.function);
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
