// Where is a result decided? Compilers gather the returns of a function in one block; an error code
// is returned where it is chosen.
#pragma once

#include "program/ir/module.h"

namespace tacit {

/// Gives every block that chooses what is returned (its last assignment to the returned local) and
/// then goes to a block that does nothing but hand it on and return it a return of its own, at the
/// place of that assignment. What the procedure does stays the same.
void split_returns(Procedure& procedure);

} // namespace tacit
