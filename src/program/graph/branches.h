// Terminators that passes replace: the same everywhere, so that places and procedures stay with
// them.
#pragma once

#include "program/ir/module.h"

namespace tacit {

/// No run passes the block: it assumes what is false.
bool is_blocked(const Block& block);

/// Ends the block in a goto.
void go_to(Block& block, BlockId target);

/// Ends the block in a branch to two new blocks, which end as said. The first of them is returned,
/// the other one follows.
BlockId branch_to(Procedure& procedure, BlockId block, Term condition, Terminator yes,
                  Terminator no);

/// Makes an assumption of the block's branch: that it goes this way.
void assume_branch(TermArena& arena, Block& block, bool way);

} // namespace tacit
