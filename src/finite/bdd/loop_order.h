// The order in which blocks are executed symbolically: a weak topological order (Bourdoncle 1993).
// Outside of loops a block comes after all its predecessors; a loop is its head followed by the
// order of the rest, and comes as one before everything behind it.
#pragma once

#include <vector>

#include "program/ir/module.h"

namespace tacit {

struct LoopOrder {
  BlockId block = 0; // alone, or the head of a loop
  bool loop = false;
  std::vector<LoopOrder> inside; // without the head
};

std::vector<LoopOrder> loop_order(const Procedure& procedure);

} // namespace tacit
