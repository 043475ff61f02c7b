#include "program/graph/unroll.h"

#include <algorithm>

namespace tacit {

namespace {

using Iterations =
    std::vector<std::pair<BlockId, std::size_t>>; // loop head, iteration; ascending heads
using Copy = std::pair<BlockId, Iterations>;

class Graph {
public:
  explicit Graph(const Procedure& procedure) {
    for (const Block& block : procedure.blocks) next_.push_back(successors(block.end));
    previous_.resize(next_.size());
    for (BlockId from = 0; from < next_.size(); ++from)
      for (BlockId to : next_[from]) previous_[to].push_back(from);
  }

  /// Edges to a block that is being visited, in depth-first order.
  std::vector<std::pair<BlockId, BlockId>> retreating_edges() const {
    std::vector<std::pair<BlockId, BlockId>> edges;
    std::vector<int> colour(next_.size(), 0);
    std::vector<std::pair<BlockId, std::size_t>> stack{{0, 0}};
    colour[0] = 1;
    while (!stack.empty()) {
      auto& [block, at] = stack.back();
      if (at == next_[block].size()) {
        colour[block] = 2;
        stack.pop_back();
        continue;
      }
      const BlockId from = block, to = next_[block][at++];
      if (colour[to] == 1) edges.emplace_back(from, to);
      if (colour[to] == 0) {
        colour[to] = 1;
        stack.emplace_back(to, 0);
      }
    }
    return edges;
  }

  /// What reaches `from` without passing `head`, and the head; nullopt when the entry is among it,
  /// i.e. when the head does not dominate `from`.
  std::optional<std::set<BlockId>> natural_loop(BlockId head, BlockId from) const {
    std::set<BlockId> members{head};
    std::vector<BlockId> todo{from};
    while (!todo.empty()) {
      const BlockId block = todo.back();
      todo.pop_back();
      if (!members.insert(block).second) continue;
      if (block == 0) return std::nullopt;
      std::ranges::copy(previous_[block], std::back_inserter(todo));
    }
    return members;
  }

  const std::vector<BlockId>& next(BlockId block) const { return next_[block]; }

private:
  std::vector<std::vector<BlockId>> next_, previous_;
};

} // namespace

Result<Unrolled> unroll(const Procedure& procedure,
                        const std::function<std::size_t(BlockId head)>& bound, std::size_t limit) {
  const Graph graph(procedure);
  std::map<BlockId, std::set<BlockId>> loops;
  for (const auto& [from, head] : graph.retreating_edges()) {
    const auto members = graph.natural_loop(head, from);
    if (!members)
      return fail(procedure.where, "the loop at block {} of '{}' has several entries", head,
                  procedure.name);
    loops[head].insert(members->begin(), members->end());
  }

  // nullopt: beyond the bound of the target, which is a head then.
  const auto follow = [&](const Copy& from, BlockId to) -> std::optional<Copy> {
    Iterations iterations;
    for (const auto& [head, members] : loops) {
      if (!members.contains(to)) continue;
      const auto known =
          std::ranges::find(from.second, head, &std::pair<BlockId, std::size_t>::first);
      std::size_t iteration = known == from.second.end() ? 0 : known->second;
      if (head == to) {
        iteration = known == from.second.end() ? 0 : iteration + 1;
        if (iteration > bound(head)) return std::nullopt;
      }
      iterations.emplace_back(head, iteration);
    }
    return Copy{to, std::move(iterations)};
  };

  // Depth first; a copy's number counts from the end in order of completion.
  struct Node {
    Copy copy;
    std::vector<UnrolledEdge> edges;
    std::size_t finished = 0;
  };
  std::vector<Node> nodes;
  std::map<Copy, std::size_t> ids;
  std::vector<std::size_t> stack, order;
  const auto enter = [&](const Copy& copy) {
    const auto [place, made] = ids.emplace(copy, nodes.size());
    if (made) {
      nodes.push_back({copy, {}, 0});
      stack.push_back(place->second);
    }
    return place->second;
  };
  Iterations start;
  if (loops.contains(0)) start.emplace_back(0, 0);
  enter({0, start});
  while (!stack.empty()) {
    if (nodes.size() > limit)
      return fail(procedure.where, "unrolling the loops of '{}' gives more than {} blocks",
                  procedure.name, limit);
    const std::size_t id = stack.back();
    const auto& next = graph.next(nodes[id].copy.first);
    const std::size_t at = nodes[id].edges.size();
    if (at == next.size()) {
      order.push_back(id);
      stack.pop_back();
      continue;
    }
    const Copy from = nodes[id].copy;
    if (const auto to = follow(from, next[at])) {
      const std::size_t target = enter(*to);
      nodes[id].edges.push_back({target, std::nullopt});
    } else {
      nodes[id].edges.push_back({0, next[at]});
    }
  }
  std::ranges::reverse(order);
  for (std::size_t i = 0; i < order.size(); ++i) nodes[order[i]].finished = i;

  Unrolled unrolled;
  unrolled.loops = std::move(loops);
  for (std::size_t id : order) {
    BlockCopy copy{nodes[id].copy.first, nodes[id].edges};
    for (UnrolledEdge& edge : copy.edges)
      if (!edge.beyond) edge.to = nodes[edge.to].finished;
    unrolled.copies.push_back(std::move(copy));
  }
  return unrolled;
}

bool reducible(const Procedure& procedure) {
  return unroll(procedure, [](BlockId) { return std::size_t{0}; }, SIZE_MAX).has_value();
}

} // namespace tacit
