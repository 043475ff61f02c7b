// Copy propagation and dead-store elimination, to make lowered bodies small: locals that only carry
// a value from one place to the next go away.
//
// A local that is assigned once may be replaced by its value wherever the variables of that value
// have not changed since; assignments to locals that nothing reads are dropped, and so are havocs
// of such locals. What a call does as seen from outside stays the same, choices included: only
// choices that nothing depends on go away.
#pragma once

#include "program/ir/module.h"

namespace tacit {

void fold(const Module& module, Procedure& procedure);

} // namespace tacit
