// Errors that a collaborator's answer decides: `if (power() < 0) return E_NODEV` translates its
// failure, an outcome and not an error (docs/semantics.md, 2.2).
#pragma once

#include "program/ir/module.h"

namespace tacit {

/// Returns and throws of own code that are run only because a branch went their way that looks at
/// what a collaborator returned become `environment`. Where other branches lead there as well, each
/// way gets an exit of its own. After inlining: assignments of what a callee returned carry an
/// OpaqueChoice.
void mark_answered(Procedure& procedure);

} // namespace tacit
