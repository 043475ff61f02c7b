// Machine integers: `--integers math` takes a reduction to the width of an arithmetic operation
// (s32(e), s64(e)) of a sum for the identity, unless something in it is given a value near the
// limit; products keep theirs. Reductions to fewer bits than 32 are conversions that the source
// asks for, `(byte) x`, and stay: C and Java promote narrower operands before they compute.
#pragma once

#include "program/ir/module.h"

namespace tacit {

/// Drops these wraps; tells whether there were any.
bool drop_wraps(Module& module);

} // namespace tacit
