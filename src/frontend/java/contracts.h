// Contracts of well-known Java callees: `extern` items named in full, `java.util.List.get(int)`,
// which also hold for methods that override them. Text in, clauses of the module's externs out.
#pragma once

#include "frontend/java/context.h"

namespace tacit::java {

/// The contracts that come with Tacit (contracts/java.tir).
std::string_view standard_contracts();

/// Declares the exceptions that fitting contracts name; may ask for another round.
void declare_for_contracts(Context& context);

/// Items may also use the names that externs have in the module.
Result<void> apply_contracts(ClassPool& pool, Module& module,
                             const std::map<std::string, Context::Opaque>& externs,
                             const std::vector<std::string>& texts);

} // namespace tacit::java
