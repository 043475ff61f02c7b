// Contracts of well-known Java callees (docs/contracts.md), named in full:
// `java.util.List.get(int)`. They also hold for methods that override the one named.
#pragma once

#include "frontend/java/context.h"

namespace tacit::java {

/// The contracts that come with Tacit (contracts/java.tir).
std::string_view standard_contracts();

/// What the user's files name, to be known before bodies are lowered.
Result<Contracts> given_contracts(const std::vector<ContractText>& texts);

/// What comes with Tacit, bodies included.
const Contracts& shipped_java_contracts();
/// Those of the user, then those that come with Tacit as far as they are asked for.
Contracts all_contracts(const Contracts& given, const std::vector<ContractText>& texts);

/// The names under which a contract for a method may stand: its own, then what it overrides.
std::vector<std::string> contract_names(ClassPool& pool, const std::string& owner,
                                        const std::string& method, const std::string& descriptor);

/// Declares the exceptions that fitting contracts name; may ask for another round.
void declare_for_contracts(Context& context);

/// Items may also use the names that externs have in the module.
Result<void> apply_contracts(Context& context);

} // namespace tacit::java
