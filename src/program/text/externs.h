// Contracts of opaque callees made executable: an extern given by clauses gets a body in which the
// environment chooses whether it fails and how, what it writes and what it returns, within
// `ensures`.
#pragma once

#include "program/ir/module.h"

namespace tacit {

void expand_externs(Module& module);

/// Adds the extern declarations of a contract file (same syntax, `extern` items only) to a module
/// whose callees they name; a contract for a callee that the module lacks or that has a body is
/// left out.
Result<std::size_t> add_contracts(Module& module, std::string_view text, const std::string& file);

} // namespace tacit
