// Machine integers: `--integers math` takes every reduction to a machine width (s32(e) and the
// like) for the identity.
#pragma once

#include "program/module.h"

namespace tacit {

/// Drops all wraps; tells whether there were any.
bool drop_wraps(Module& module);

} // namespace tacit
