// Returns where the source has them: a compiler gathers the values that a function returns in one
// variable and leaves in one place, which hides which of the places it was.
#pragma once

#include "program/ir/module.h"

namespace tacit {

/// A jump to a block that does nothing but return a local becomes that return, at the place where
/// the local was assigned, if that is the block that jumps.
void return_in_place(Procedure& procedure);

} // namespace tacit
