// Makes a body acyclic: blocks are copied per loop iteration, up to a bound for each loop head.
//
// The natural loop of a head is what reaches it by a back edge. A copy of a block is told apart by
// the iteration of each loop around it; entering a loop starts its count at 0, a back edge adds 1.
// With the bound n a back edge is taken at most n times per entry, and an edge that would exceed it
// leads to `beyond`.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "program/ir/module.h"

namespace tacit {

struct UnrolledEdge {
  std::size_t to = 0;            // copy; meaningless when `beyond`
  std::optional<BlockId> beyond; // the head whose bound this edge exceeds
};

struct BlockCopy {
  BlockId block = 0;
  std::vector<UnrolledEdge> edges; // as successors() of the block's terminator
};

/// Copies in topological order, the entry first.
struct Unrolled {
  std::vector<BlockCopy> copies;
  std::map<BlockId, std::set<BlockId>> loops; // by head; the head belongs to its loop
};

/// Fails for an irreducible graph and when there would be more than `limit` copies.
Result<Unrolled> unroll(const Procedure& procedure,
                        const std::function<std::size_t(BlockId head)>& bound,
                        std::size_t limit = 20'000);

/// Every loop has a single entry.
bool reducible(const Procedure& procedure);

} // namespace tacit
