// References that are only ever compared with null become Boolean: `impl != null`. Lowered code is
// full of them, and without references a component may be finite, or at least free of choices that
// a solver cannot eliminate. Exact: such a variable's address is never looked at. Runs after
// slice.h.
#pragma once

#include "program/ir/module.h"
#include "program/reduce/slice.h"

namespace tacit {

/// Methods and constructors only; other procedures must be gone. Returned references are dropped,
/// because outcomes have been split already; when results are observed they stay, and parameters
/// stay references, so that conditions can speak of them.
void abstract_nullness(Module& module, Results results = Results::Dropped);

} // namespace tacit
