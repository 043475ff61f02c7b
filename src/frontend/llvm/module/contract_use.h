// Which externs of one lowered module have contracts: asked while calls are lowered, done at the
// end. Both must say the same, since a call with a contract is taken to change no more facts than
// that says.
#pragma once

#include <map>

#include "frontend/llvm/facts/library.h"

namespace tacit {

/// The name under which a contract stands of a function, with `made_by` of one that is handed a
/// temporary of that function.
std::string contract_key(const std::string& function, const std::string& made_by);

/// A call as contracts see it. Per parameter: the object that it means, if facts about that are
/// kept, and the class of what it is or points to.
struct ContractCall {
  std::string function; // with `made_by` (contract_key)
  std::vector<std::string> objects, classes;
  std::vector<Variable> parameters;
  std::optional<Type> returns;
};

class ContractUse {
public:
  explicit ContractUse(const Library& library) : library_(&library) {}

  /// Facts about this object are state variables `object.fact`.
  void keep(const std::string& object, std::vector<std::optional<Type>> type_arguments) {
    objects_[object] = std::move(type_arguments);
  }
  /// Facts about this object are numbers that never change.
  void keep(const std::string& object, std::map<std::string, Integer> facts) {
    constants_[object] = std::move(facts);
  }

  /// The parameters whose facts a contract speaks of, where one will say what the call does.
  std::optional<std::set<std::size_t>> tells(const Module& module, const ContractCall& call) const;
  /// The parameters of whose objects that contract mentions a fact.
  std::set<std::size_t> speaks_of(const Module& module, const ContractCall& call,
                                  const std::string& fact) const;
  /// Whether a contract fits that begins with the object that the call makes.
  bool makes(const Module& module, const ContractCall& call) const;

  /// The extern stands for that call; `told`: a contract is counted on.
  void use(const std::string& procedure, ContractCall call, bool told);

  /// Gives externs the bodies and clauses of the contracts that fit them: the user's files, read in
  /// the module's scope, then the shipped.
  Result<void> apply(Module& module,
                     const std::vector<std::pair<std::string, std::string>>& files) const;

private:
  struct Use {
    ContractCall call;
    bool told = false;
  };
  ContractSite site(const Module& module, const ContractCall& call) const;
  const Contract* usable(const Contracts& contracts, const Module& module,
                         const ContractCall& call) const;

  const Library* library_;
  std::map<std::string, std::vector<std::optional<Type>>> objects_;
  std::map<std::string, std::map<std::string, Integer>> constants_;
  std::map<std::string, Use> uses_; // by procedure
};

/// The first parameter of a contract that speaks of the object that the call makes is called so.
inline constexpr std::string_view made_object = "made";

} // namespace tacit
