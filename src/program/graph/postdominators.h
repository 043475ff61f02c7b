// Which block every run from a block must pass on its way out, and which branches decide whether a
// block is run (control dependence).
#pragma once

#include <optional>
#include <vector>

#include "program/ir/module.h"

namespace tacit {

class Postdominators {
public:
  Postdominators() = default;
  /// Successors by block. A block without successors leaves; one that never gets to such a block is
  /// taken to leave as well.
  explicit Postdominators(std::vector<std::vector<BlockId>> successors);

  /// The nearest block that all ways out pass after this one; none: they have only leaving in
  /// common.
  std::optional<BlockId> next(BlockId block) const;
  /// By block: the blocks whose choice between successors decides whether it is run.
  std::vector<std::vector<BlockId>> control_dependence() const;

private:
  std::size_t meet(std::size_t a, std::size_t b) const;

  std::vector<std::vector<BlockId>> successors_;
  std::vector<std::size_t> parent_; // in the tree; the outside is the last node and its own parent
  std::vector<std::size_t>
      order_; // by node: its place in a reverse postorder of the reversed graph
};

/// Edges to a block that is being visited, depth first: one or more per loop.
std::size_t count_back_edges(const Procedure& procedure);

} // namespace tacit
