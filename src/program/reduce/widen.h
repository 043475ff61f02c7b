// Counters: `--integers math` takes a number of a machine's width that arithmetic may carry past
// its limit not to reach it (docs/semantics.md, 5). Its variable then has no such limit, so that
// none shows in conditions and no run ends there.
//
// The lower limit of an unsigned number stays: there counting down does reach it.
#pragma once

#include "program/ir/module.h"

namespace tacit {

/// Takes the limits of variables, parameters and results to which something may be assigned that
/// is not known to keep them; tells whether there were any.
bool widen_counters(Module& module);

} // namespace tacit
