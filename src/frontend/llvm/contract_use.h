// Which externs of one lowered module have contracts: asked while calls are lowered, done at the
// end. Both must say the same, since a call with a contract is taken to change no more facts than
// that says.
#pragma once

#include <map>

#include "frontend/llvm/library.h"

namespace tacit {

/// The name under which a contract stands of a function, with `made_by` of one that is handed a
/// temporary of that function.
std::string contract_key(const std::string& function, const std::string& made_by);

class ContractUse {
public:
  explicit ContractUse(const Library& library) : library_(&library) {}

  /// Facts about this object are state variables `object.fact`.
  void keep(const std::string& object, std::vector<std::optional<Type>> type_arguments) {
    objects_[object] = std::move(type_arguments);
  }

  /// Whether a contract will say what an extern `name@object` does. Remembers the answer.
  bool tells(const Module& module, const std::string& name, const std::string& object,
             const std::vector<Variable>& parameters, const std::optional<Type>& returns);

  /// Gives externs the bodies and clauses of the contracts that fit them: the user's files, read in
  /// the module's scope, then the shipped.
  Result<void> apply(Module& module,
                     const std::vector<std::pair<std::string, std::string>>& files) const;

private:
  ContractSite site(const Module& module, const std::string& object) const;

  const Library* library_;
  std::map<std::string, std::vector<std::optional<Type>>> objects_;
  std::set<std::string> told_; // `name@object`
};

} // namespace tacit
