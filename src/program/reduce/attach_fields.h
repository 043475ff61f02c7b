// Scalar replacement of fields that nobody writes: for references that are only handed on or
// compared with null they become variables beside the reference, `array.length[b]` for the length
// of an argument `b`. Nothing tells two such references apart, so whoever chooses one may as well
// choose what its fields hold.
// This takes choices out of the keys of maps, where no solver eliminates them, and mostly lets
// nullness.h turn the references into Booleans. Runs after slice.h.
//
// Exact when the map starts with arbitrary contents: every value is that of some address not used
// so far. What a null reference "holds" is not kept, since nobody may read it.
#pragma once

#include "program/ir/module.h"

namespace tacit {

/// Methods and constructors only; other procedures must be gone.
void attach_fields(Module& module);

} // namespace tacit
