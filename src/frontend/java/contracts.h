// Contracts of well-known Java callees (docs/contracts.md), named in full:
// `java.util.List.get(int)`. They also hold for methods that override the one named.
#pragma once

#include "frontend/java/context.h"

namespace tacit::java {

/// The contracts that come with Tacit (contracts/java.tir).
std::string_view standard_contracts();

/// What the user's files name, to be known before bodies are lowered.
Result<Contracts> given_contracts(const std::vector<ContractText>& texts);

/// Declares the exceptions that fitting contracts name; may ask for another round.
void declare_for_contracts(Context& context);

/// Items may also use the names that externs have in the module.
Result<void> apply_contracts(ClassPool& pool, Module& module,
                             const std::map<std::string, Context::Opaque>& externs,
                             const std::vector<ContractText>& texts);

} // namespace tacit::java
