// The iterative algorithm on the reversed graph, with one node for the outside.
#include "program/graph/postdominators.h"

#include <algorithm>

namespace tacit {

Postdominators::Postdominators(std::vector<std::vector<BlockId>> successors)
    : successors_(std::move(successors)) {
  const std::size_t outside = successors_.size();
  std::vector<std::vector<std::size_t>> before(outside + 1), after(outside);
  const auto connect = [&](std::size_t from, std::size_t to) {
    after[from].push_back(to);
    before[to].push_back(from);
  };
  for (std::size_t b = 0; b < outside; ++b) {
    for (const BlockId to : successors_[b]) connect(b, to);
    if (successors_[b].empty()) connect(b, outside);
  }
  // Numbers by depth-first search from the outside against the edges; blocks that are not found
  // never leave, and get an edge out one by one.
  std::vector<std::size_t> finished;
  std::vector<bool> seen(outside + 1, false);
  const auto visit = [&](std::size_t root) {
    std::vector<std::pair<std::size_t, std::size_t>> stack{{root, 0}};
    seen[root] = true;
    while (!stack.empty()) {
      auto& [node, at] = stack.back();
      if (at == before[node].size()) {
        finished.push_back(node);
        stack.pop_back();
        continue;
      }
      const std::size_t to = before[node][at++];
      if (seen[to]) continue;
      seen[to] = true;
      stack.emplace_back(to, 0);
    }
  };
  {
    // Connect what never leaves first, so that one search numbers everything.
    std::vector<bool> leaves(outside + 1, false);
    const auto mark = [&](std::size_t root) {
      std::vector<std::size_t> work{root};
      while (!work.empty()) {
        const std::size_t node = work.back();
        work.pop_back();
        if (leaves[node]) continue;
        leaves[node] = true;
        for (const std::size_t from : before[node]) work.push_back(from);
      }
    };
    mark(outside);
    for (std::size_t b = outside; b-- > 0;)
      if (!leaves[b]) {
        connect(b, outside);
        mark(b);
      }
  }
  visit(outside);
  order_.assign(outside + 1, 0);
  for (std::size_t i = 0; i < finished.size(); ++i) order_[finished[finished.size() - 1 - i]] = i;
  std::ranges::reverse(finished);
  const std::size_t none = outside + 1;
  parent_.assign(outside + 1, none);
  parent_[outside] = outside;
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::size_t node : finished) {
      if (node == outside) continue;
      std::size_t common = none;
      for (const std::size_t to : after[node]) {
        if (parent_[to] == none) continue;
        common = common == none ? to : meet(common, to);
      }
      if (common == parent_[node]) continue;
      parent_[node] = common;
      changed = true;
    }
  }
}

std::size_t Postdominators::meet(std::size_t a, std::size_t b) const {
  while (a != b) {
    while (order_[a] > order_[b]) a = parent_[a];
    while (order_[b] > order_[a]) b = parent_[b];
  }
  return a;
}

std::optional<BlockId> Postdominators::next(BlockId block) const {
  if (parent_[block] >= successors_.size()) return std::nullopt;
  return static_cast<BlockId>(parent_[block]);
}

std::vector<std::vector<BlockId>> Postdominators::control_dependence() const {
  std::vector<std::vector<BlockId>> depends(successors_.size());
  for (BlockId from = 0; from < successors_.size(); ++from) {
    if (successors_[from].size() < 2) continue;
    for (std::size_t at : successors_[from])
      for (; at != parent_[from] && at < successors_.size(); at = parent_[at])
        if (depends[at].empty() || depends[at].back() != from) depends[at].push_back(from);
  }
  return depends;
}

std::size_t count_back_edges(const Procedure& procedure) {
  if (procedure.blocks.empty()) return 0;
  std::size_t found = 0;
  std::vector<int> colour(procedure.blocks.size(), 0);
  std::vector<std::pair<BlockId, std::size_t>> stack{{0, 0}};
  colour[0] = 1;
  while (!stack.empty()) {
    auto& [block, at] = stack.back();
    const auto next = successors(procedure.blocks[block].end);
    if (at == next.size()) {
      colour[block] = 2;
      stack.pop_back();
      continue;
    }
    const BlockId to = next[at++];
    if (colour[to] == 1) ++found;
    if (colour[to] != 0) continue;
    colour[to] = 1;
    stack.emplace_back(to, 0);
  }
  return found;
}

} // namespace tacit
