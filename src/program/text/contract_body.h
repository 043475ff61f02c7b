// Methods and constructors that are given by their contracts in place of bodies, as in the first
// input form of CONTRACTOR (Enabledness-based Program Abstractions, section 3.1):
//
//   method put(item : int) requires count < 10 writes count ensures count == old(count) + 1;
//
// `ensures` relates the state after with `old(e)`, an expression over the state before, with the
// parameters and with `result`. What may change is what `writes` lists, or without it what
// `ensures` speaks of outside of `old`. The environment chooses among what the contract allows.
#pragma once

#include "program/ir/module.h"
#include "program/ir/scope.h"

namespace tacit {

/// What names mean in `ensures` of a procedure.
class EnsuresScope : public ModuleScope {
public:
  EnsuresScope(const Module& module, const Procedure& procedure)
      : ModuleScope(module, &procedure), module_(module), procedure_(procedure) {}

  Term lookup(std::string_view name) const override;
  std::optional<NamedOperation> operation(std::string_view name, Sort wanted) const override;

private:
  const Module& module_;
  const Procedure& procedure_;
};

/// Makes the procedure's `ensures` (read in an EnsuresScope) and `writes` its body, in place of any
/// that it has.
void give_contract_body(const Module& module, Procedure& procedure);

} // namespace tacit
