#include "interface/order.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

namespace tacit {
namespace {

/// Brings `items` into order and returns where each has gone; empty when they were in order.
template <class Item, class Less>
std::vector<std::size_t> sort_items(std::vector<Item>& items, Less less) {
  if (std::ranges::is_sorted(items, less)) return {};
  std::vector<std::size_t> order(items.size()), gone(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return less(items[a], items[b]); });
  std::vector<Item> sorted;
  sorted.reserve(items.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    gone[order[i]] = i;
    sorted.push_back(std::move(items[order[i]]));
  }
  items = std::move(sorted);
  return gone;
}

std::map<std::size_t, std::size_t> renumbered(const std::map<std::size_t, std::size_t>& table,
                                              const std::vector<std::size_t>& gone) {
  std::map<std::size_t, std::size_t> result;
  for (const auto& [index, node] : table) result[gone[index]] = node;
  return result;
}

} // namespace

void sort_parts(Interface& interface) {
  std::vector<std::size_t> rank(interface.calls.size());
  std::vector<std::size_t> by_name(interface.calls.size());
  std::iota(by_name.begin(), by_name.end(), std::size_t{0});
  std::ranges::sort(by_name, {}, [&](std::size_t call) -> const std::string& {
    return interface.calls[call].name;
  });
  for (std::size_t i = 0; i < by_name.size(); ++i) rank[by_name[i]] = i;

  Evidence& evidence = interface.evidence;
  const auto before = [&](const InterfaceTransition& a, const InterfaceTransition& b) {
    return std::pair(a.from, rank[a.call]) < std::pair(b.from, rank[b.call]);
  };
  if (const auto gone = sort_items(interface.transitions, before); !gone.empty()) {
    evidence.transition_must = renumbered(evidence.transition_must, gone);
    decltype(evidence.outcome_must) moved;
    for (const auto& [place, node] : evidence.outcome_must)
      moved[{gone[place.first], place.second}] = node;
    evidence.outcome_must = std::move(moved);
    for (MustNode& node : evidence.must)
      for (auto& incoming : node.incoming) incoming.transition = gone[incoming.transition];
  }
  const auto refused_before = [&](const Refusal& a, const Refusal& b) {
    if (a.state != b.state) return a.state < b.state;
    if (!a.state) return interface.constructors[a.call] < interface.constructors[b.call];
    return rank[a.call] < rank[b.call];
  };
  if (const auto gone = sort_items(interface.forbidden, refused_before); !gone.empty())
    evidence.refusal_must = renumbered(evidence.refusal_must, gone);
}

std::optional<Repeated> first_repeated(const Interface& interface) {
  const auto& transitions = interface.transitions;
  if (interface.kind == "interface") {
    // Transitions of one outcome are told apart by their cells.
    const auto key = [&](std::size_t i) {
      const InterfaceTransition& t = transitions[i];
      return std::tie(t.from, t.call, t.outcome, t.when);
    };
    const auto same = [&](std::size_t a, std::size_t b) { // the one without a cell comes first
      const InterfaceTransition &first = transitions[a], &second = transitions[b];
      return std::tie(first.from, first.call, first.outcome) ==
                 std::tie(second.from, second.call, second.outcome) &&
             (first.when.empty() || first.when == second.when);
    };
    std::vector<std::uint32_t> order(transitions.size());
    std::iota(order.begin(), order.end(), 0u);
    if (!std::ranges::is_sorted(order, {}, key)) std::ranges::stable_sort(order, {}, key);
    for (std::size_t i = 1; i < order.size(); ++i)
      if (same(order[i - 1], order[i])) {
        const auto [earlier, later] = std::minmax(order[i - 1], order[i]);
        const InterfaceTransition& t = transitions[later];
        const InterfaceCall& call = interface.calls[t.call];
        return Repeated{"transitions", later,
                        fmt::format("repeats transitions[{}]: state {}, call '{}', outcome '{}'",
                                    earlier, t.from, call.name, call.outcomes[t.outcome])};
      }
  }
  const auto& forbidden = interface.forbidden;
  std::vector<std::uint32_t> order(forbidden.size());
  std::iota(order.begin(), order.end(), 0u);
  // Arguments may need different must-nodes, each with an entry of its own.
  const auto& nodes = interface.evidence.refusal_must;
  const auto key = [&](std::size_t i) {
    const Refusal& r = forbidden[i];
    const auto node = nodes.find(i);
    return std::pair(std::tie(r.state, r.call, r.error, r.at),
                     node == nodes.end() ? std::nullopt : std::optional(node->second));
  };
  if (!std::ranges::is_sorted(order, {}, key)) std::ranges::stable_sort(order, {}, key);
  for (std::size_t i = 1; i < order.size(); ++i)
    if (key(order[i - 1]) == key(order[i]))
      return Repeated{"forbidden", order[i], fmt::format("repeats forbidden[{}]", order[i - 1])};
  return std::nullopt;
}

} // namespace tacit
