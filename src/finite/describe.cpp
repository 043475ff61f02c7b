#include "finite/describe.h"

#include <algorithm>
#include <map>
#include <set>

namespace tacit {
namespace {

constexpr std::size_t max_cells = 60'000; // rows × slots

class Describer {
public:
  Describer(const Component& component, const std::vector<Slot>& slots)
      : component_(component), slots_(slots) {}

  /// `rows` are distinct on `open`, the slots still to be described.
  Term cover(std::vector<Frame> rows, std::vector<std::size_t> open) {
    std::vector<Term> parts;
    // Slots that vary independently of the rest are conjuncts of their own.
    for (std::size_t i = 0; i < open.size();) {
      auto groups = split(rows, i);
      if (groups.size() > 1) {
        ++i;
        continue;
      }
      parts.push_back(value_in(open[i], groups[0].values));
      rows = std::move(groups[0].rest);
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
      i = 0;
    }
    if (!open.empty()) {
      std::size_t best = 0, fewest = SIZE_MAX;
      for (std::size_t i = 0; i < open.size(); ++i) {
        const std::size_t count = split(rows, i).size();
        if (count < fewest) {
          fewest = count;
          best = i;
        }
      }
      auto groups = split(rows, best);
      std::vector<std::size_t> rest = open;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(best));
      std::vector<Term> alternatives;
      for (Group& g : groups)
        alternatives.push_back(
            arena().conj(value_in(open[best], g.values), cover(std::move(g.rest), rest)));
      parts.push_back(arena().disj(std::move(alternatives)));
    }
    return arena().conj(std::move(parts));
  }

private:
  struct Group {
    std::vector<std::int64_t> values; // of the slot, ascending
    std::vector<Frame> rest;          // the rows without the slot, sorted
  };

  TermArena& arena() const { return component_.arena(); }

  /// Groups the values of the i-th open slot by what the other slots can be beside them.
  std::vector<Group> split(const std::vector<Frame>& rows, std::size_t i) {
    std::map<std::int64_t, std::vector<Frame>> by_value;
    for (const Frame& row : rows) {
      Frame rest = row;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      by_value[row[i]].push_back(std::move(rest));
    }
    std::vector<Group> groups;
    for (auto& [value, rest] : by_value) {
      std::ranges::sort(rest);
      auto same = std::ranges::find_if(groups, [&](const Group& g) { return g.rest == rest; });
      if (same == groups.end())
        groups.push_back({{value}, std::move(rest)});
      else
        same->values.push_back(value);
    }
    return groups;
  }

  Term slot_term(const Slot& slot) const {
    Term t = component_.module().state[slot.variable].term;
    for (Integer key : slot.key) t = arena().select(t, arena().constant(t->sort->key, key));
    return t;
  }

  Term value_in(std::size_t index, const std::vector<std::int64_t>& values) {
    const Slot& slot = slots_[index];
    if (slot.size != 0 && values.size() == slot.size) return arena().truth();
    Term t = slot_term(slot);
    if (t->sort->kind != SortKind::Int) {
      std::vector<Term> parts;
      if (slot.size - values.size() < values.size()) { // fewer are excluded than included
        for (std::uint64_t v = 0; v < slot.size; ++v)
          if (!std::ranges::binary_search(values, static_cast<std::int64_t>(v)))
            parts.push_back(arena().ne(t, arena().constant(t->sort, static_cast<Integer>(v))));
        return arena().conj(std::move(parts));
      }
      for (std::int64_t v : values) parts.push_back(arena().eq(t, arena().constant(t->sort, v)));
      return arena().disj(std::move(parts));
    }
    std::vector<Term> intervals;
    for (std::size_t i = 0; i < values.size();) {
      std::size_t j = i;
      while (j + 1 < values.size() && values[j + 1] == values[j] + 1) ++j;
      intervals.push_back(interval(slot, t, values[i], values[j]));
      i = j + 1;
    }
    return arena().disj(std::move(intervals));
  }

  Term interval(const Slot& slot, Term t, std::int64_t first, std::int64_t last) {
    if (first == last) return arena().eq(t, arena().integer(first));
    std::vector<Term> parts;
    if (slot.size == 0 || first > slot.low) parts.push_back(arena().ge(t, arena().integer(first)));
    const bool at_end =
        slot.size != 0 && last - slot.low == static_cast<std::int64_t>(slot.size) - 1;
    if (!at_end) parts.push_back(arena().le(t, arena().integer(last)));
    return arena().conj(std::move(parts));
  }

  const Component& component_;
  const std::vector<Slot>& slots_;
};

} // namespace

std::optional<Term> describe_rows(const Component& component, const std::vector<Slot>& slots,
                                  std::vector<Frame> rows) {
  if (rows.empty()) return component.arena().falsehood();
  if (rows.size() * (slots.size() + 1) > max_cells) return std::nullopt;
  std::vector<std::size_t> open(slots.size());
  for (std::size_t i = 0; i < open.size(); ++i) open[i] = i;
  for (Frame& row : rows) row.resize(slots.size());
  return Describer(component, slots).cover(std::move(rows), std::move(open));
}

} // namespace tacit
