// From a template to the body of one callee, in the types and variables of the module that calls
// it.
//
// Types: what is of any sort has the type of the callee; a type parameter is the type of the
// class's template argument. Facts are where the front end keeps them. Where a type parameter has
// no values here (a struct held by value) or a fact is not kept, what depends on it is `havoc
// unknown`, and writing it does nothing: one contract serves all element types.
#pragma once

#include <functional>

#include "program/contracts/contracts.h"

namespace tacit {

/// What a front end knows about the callee that a contract is for.
struct ContractSite {
  /// Where a fact about the object that a parameter means is kept: a state variable, or an element
  /// of a map (the field of a record, at `object`, the parameter itself). Null: it is not.
  std::function<Term(std::size_t parameter, Term object, const std::string& fact)> fact;
  std::vector<std::optional<Type>> type_arguments;
  /// The procedure that runs where a contract calls a hook; empty: nothing runs there. Without an
  /// answer for it, a contract with hooks cannot be used.
  std::function<std::string(const std::string& hook)> hook;
  /// The record of new objects without fields that are followed; empty: `fresh` is not null, no
  /// more.
  std::string fresh_record;
};

/// The type that a fact has in a module; none where a type parameter has no values there.
std::optional<Type> fact_type(const ClassFacts& facts, const KeptFact& fact, const Module& module,
                              const std::vector<std::optional<Type>>& type_arguments);

/// Whether everything is known that the contract speaks of: at least one fact of each object it
/// mentions, and what its hooks are.
bool can_instantiate(const Contract& contract, const std::vector<Variable>& parameters,
                     const ContractSite& site);

/// The callee with the contract's body or clauses. Fails when the module lacks an exception that it
/// names.
Result<Procedure> instantiate(const Contract& contract, const Module& module,
                              const Procedure& callee, const ContractSite& site);

} // namespace tacit
