// Recursion, some levels deep: the procedures of a cycle of calls are copied once for each level,
// and each copy calls those of the next level. The last level calls the procedures themselves,
// which are summarised by their effects when calls are inlined (inline.h).
//
// Where arguments decide how deep a recursion goes, that depth is settled; deeper ones are as
// unknown as they were. Behaviour is kept exactly.
#pragma once

#include "program/ir/module.h"

namespace tacit {

struct UnfoldLimits {
  std::size_t levels = 4; // `f(3)`, where f(0) is the end
  // Of all copies of a cycle once they are inlined into each other; each recursive call in a body
  // multiplies them. More than this costs more than it tells.
  std::size_t blocks = 250;
};

void unfold_recursion(Module& module, const UnfoldLimits& limits = {});

} // namespace tacit
