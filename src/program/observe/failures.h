// Whose exception is it? Marks throws that translate a failure of an opaque callee
// (docs/semantics.md, 2.2).
#pragma once

#include "program/ir/module.h"

namespace tacit {

/// `failed` is set by the procedure where a failure of an opaque callee was caught. Every throw of
/// own code that comes after that on all paths becomes `environment`; one that comes after it on
/// some paths is split by the flag. The flag becomes a local if something is split, otherwise its
/// assignments go away.
void mark_translated(TermArena& arena, Procedure& procedure, Term failed);

} // namespace tacit
