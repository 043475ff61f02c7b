#include "finite/bdd/loop_order.h"

#include <algorithm>

namespace tacit {
namespace {

/// Tarjan's strongly connected components within the blocks that are `in`, and again inside of each
/// without its head.
class LoopFinder {
public:
  explicit LoopFinder(const Procedure& procedure) : blocks_(procedure.blocks) {}

  std::vector<LoopOrder> order(const std::vector<BlockId>& members) {
    struct Search {
      std::vector<bool> in;
      std::vector<std::size_t> index, low;
      std::vector<bool> on_stack;
      std::vector<BlockId> stack;
      std::size_t counter = 0;
    } search;
    search.in.assign(blocks_.size(), false);
    search.index.assign(blocks_.size(), 0);
    search.low.assign(blocks_.size(), 0);
    search.on_stack.assign(blocks_.size(), false);
    for (BlockId b : members) search.in[b] = true;

    std::vector<std::vector<BlockId>> components; // successors first
    struct Call {
      BlockId block = 0;
      std::vector<BlockId> targets;
      std::size_t at = 0;
    };
    for (BlockId root : members) {
      if (search.index[root] != 0) continue;
      std::vector<Call> calls;
      auto enter = [&](BlockId b) {
        search.index[b] = search.low[b] = ++search.counter;
        search.stack.push_back(b);
        search.on_stack[b] = true;
        calls.push_back({b, successors(blocks_[b].end), 0});
      };
      enter(root);
      while (!calls.empty()) {
        Call& call = calls.back();
        if (call.at < call.targets.size()) {
          const BlockId to = call.targets[call.at++];
          if (!search.in[to]) continue;
          if (search.index[to] == 0)
            enter(to);
          else if (search.on_stack[to])
            search.low[call.block] = std::min(search.low[call.block], search.index[to]);
          continue;
        }
        const BlockId done = call.block;
        calls.pop_back();
        if (!calls.empty())
          search.low[calls.back().block] =
              std::min(search.low[calls.back().block], search.low[done]);
        if (search.low[done] != search.index[done]) continue;
        components.emplace_back();
        BlockId member = 0;
        do {
          member = search.stack.back();
          search.stack.pop_back();
          search.on_stack[member] = false;
          components.back().push_back(member);
        } while (member != done);
      }
    }

    std::vector<LoopOrder> result;
    for (auto component = components.rbegin(); component != components.rend(); ++component) {
      // The last member is where the search came in: the head.
      LoopOrder part{.block = component->back()};
      const auto targets = successors(blocks_[part.block].end);
      part.loop = component->size() > 1 || std::ranges::find(targets, part.block) != targets.end();
      component->pop_back();
      std::ranges::sort(*component);
      if (!component->empty()) part.inside = order(*component);
      result.push_back(std::move(part));
    }
    return result;
  }

private:
  const std::vector<Block>& blocks_;
};

} // namespace

std::vector<LoopOrder> loop_order(const Procedure& procedure) {
  std::vector<BlockId> all(procedure.blocks.size());
  for (BlockId b = 0; b < all.size(); ++b) all[b] = b;
  return LoopFinder(procedure).order(all);
}

} // namespace tacit
