// Loops made easier to reason about, without changing what a body does.
#pragma once

#include "program/ir/module.h"

namespace tacit {

/// Copies the first round of the outermost loops of methods and constructors in front of them. A
/// loop that turns out to be left in its second round at the latest is gone then; of the others,
/// those that have loops inside stay peeled when `nested` is set. Bodies grow to `most_blocks`.
void peel_loops(Module& module, bool nested, std::size_t most_blocks);

/// In front of every loop, keeps the values of what the loop changes in locals `before.…`, so that
/// invariants can speak of them.
void remember_before_loops(Module& module);

} // namespace tacit
