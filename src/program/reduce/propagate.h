// Constant propagation and jump threading: on every way to a statement some conditions have been
// decided, by branches, assumptions and assignments. Conditions that are known fold, branches on
// them go away, and with them the copies of callees that a specialised call cannot reach.
#pragma once

#include "program/ir/module.h"

namespace tacit {

/// Exact. Methods and constructors should be free of calls.
void propagate(Module& module);
/// One of them.
void propagate_in(const Module& module, Procedure& procedure);
/// Jump threading alone: what a helper has answered on some way is not asked for again there.
/// Statements and conditions stay as they are written.
void thread_jumps(Module& module);

} // namespace tacit
