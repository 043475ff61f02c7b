// Whose error code is it? Marks returns of what an opaque callee has returned on the same path:
// such a value is handed through, an outcome and not an error (docs/semantics.md, 2.2).
#pragma once

#include "program/ir/module.h"

namespace tacit {

/// Assignments of what a callee returned carry an OpaqueChoice. A value stays the callee's when it
/// is copied, widened or narrowed, but not when anything else is computed from it. A return of it
/// becomes `environment`; one that returns it on some paths only is split by a flag that is added
/// as a local. After inlining.
void mark_handed_through(const Module& module, Procedure& procedure);

} // namespace tacit
