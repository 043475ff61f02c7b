#include "finite/bdd/describe_set.h"

#include <algorithm>
#include <unordered_map>

#include "base/should.h"

namespace tacit {
namespace {

constexpr std::size_t max_intervals = 64;  // of one scalar
constexpr std::size_t max_nodes = 20'000;  // of the diagram
constexpr std::size_t max_parts = 4'000;   // of the predicate
constexpr std::size_t max_splits = 20'000; // of scalars, tried on the way

struct TooLong {};

class SetDescriber {
public:
  explicit SetDescriber(const Encoding& encoding)
      : encoding_(encoding), component_(encoding.component()) {
    for (std::size_t s = 0; s < encoding.slots().size(); ++s)
      for (std::size_t bit : encoding.current(s)) {
        if (slot_of_.size() <= bit) slot_of_.resize(bit + 1, 0);
        slot_of_[bit] = s;
      }
  }

  struct Cover {
    Term term = nullptr;
    std::size_t parts = 0;
  };

  /// A set depends on the scalars that are still to be described, unless any value of theirs will
  /// do.
  Cover cover(Bdd states) {
    if (auto known = covers_.find(states.id()); known != covers_.end()) return known->second.second;
    const Bdd whole = states;
    std::vector<Term> conjuncts;
    Cover result;
    std::optional<std::vector<Group>> best;
    std::size_t best_slot = 0;
    std::optional<std::size_t> scattered;
    for (std::size_t slot : slots_in(states)) {
      auto groups = split(states, slot);
      if (!groups) {
        if (slot_term(component_, encoding_.slots()[slot])->sort->kind == SortKind::Int)
          scattered = slot;
        continue;
      }
      if (groups->size() == 1) { // it varies independently of the rest
        conjuncts.push_back(value_in(slot, groups->front().intervals, result.parts));
        states = groups->front().rest;
      } else if (!best || groups->size() < best->size()) {
        best_slot = slot;
        best = std::move(groups);
      }
    }
    if (best) {
      // What has been split off since is a factor of every group.
      best = split(states, best_slot);
      std::vector<Term> alternatives;
      for (Group& group : *best) {
        Term here = value_in(best_slot, group.intervals, result.parts);
        const Cover rest = cover(std::move(group.rest));
        result.parts += rest.parts;
        alternatives.push_back(arena().conj(here, rest.term));
        if (result.parts > max_parts) throw TooLong{};
      }
      conjuncts.push_back(arena().disj(std::move(alternatives)));
    } else if (scattered) {
      conjuncts.push_back(by_bit(states, *scattered, result.parts));
    } else if (!states.is_true()) {
      throw TooLong{};
    }
    result.term = arena().conj(std::move(conjuncts));
    covers_.emplace(whole.id(), std::pair(whole, result));
    return result;
  }

private:
  struct Interval {
    std::uint64_t first = 0, last = 0; // codes
  };
  /// Values of a scalar beside which the others can be the same.
  struct Group {
    std::vector<Interval> intervals;
    Bdd rest;
  };

  TermArena& arena() const { return component_.arena(); }

  std::vector<std::size_t> slots_in(const Bdd& states) const {
    std::vector<std::size_t> slots;
    for (std::size_t bit : support(states)) slots.push_back(slot_of_[bit]);
    std::ranges::sort(slots);
    const auto repeated = std::ranges::unique(slots);
    slots.erase(repeated.begin(), repeated.end());
    return slots;
  }

  /// Of a number with too many intervals one bit is told apart, the one that matters most.
  Term by_bit(const Bdd& states, std::size_t index, std::size_t& parts) {
    const Bits& bits = encoding_.current(index);
    const auto occurring = support(states);
    std::optional<std::size_t> best;
    std::size_t fewest = 0;
    for (std::size_t bit = 0; bit < bits.size(); ++bit) {
      if (!std::ranges::binary_search(occurring, bits[bit])) continue;
      std::size_t left = 0;
      for (const bool value : {false, true})
        left += node_count(cofactor(states, Bdd::literal(bits[bit], value)));
      if (best && left >= fewest) continue;
      best = bit;
      fewest = left;
    }
    should(best.has_value(), "a set that a number divides should depend on a bit of it");
    const Slot& slot = encoding_.slots()[index];
    const auto number = [&](Integer value) { return arena().integer(value); };
    Term code = slot_term(component_, slot);
    if (slot.low != 0) code = arena().sub(code, number(slot.low));
    const Term shifted = *best == 0 ? code : arena().div(code, number(Integer{1} << *best));
    std::vector<Term> alternatives;
    for (const bool value : {false, true}) {
      const Bdd side = cofactor(states, Bdd::literal(bits[*best], value));
      if (side.is_false()) continue;
      const Cover rest = cover(side);
      parts += rest.parts + 1;
      if (parts > max_parts) throw TooLong{};
      alternatives.push_back(
          arena().conj(arena().eq(arena().mod(shifted, number(2)), number(value)), rest.term));
    }
    return arena().disj(std::move(alternatives));
  }

  /// nullopt when there are too many intervals. Groups are in the order of their first values.
  std::optional<std::vector<Group>> split(const Bdd& states, std::size_t slot) {
    check_budget();
    if (++splits_ > max_splits) throw TooLong{};
    std::vector<std::pair<Interval, Bdd>> pieces;
    if (!cut(states, encoding_.current(slot), encoding_.current(slot).size(), 0, pieces))
      return std::nullopt;
    std::vector<Group> groups;
    for (auto& [interval, rest] : pieces) {
      auto same = std::ranges::find_if(groups, [&](const Group& g) { return g.rest == rest; });
      if (same == groups.end())
        groups.push_back({{interval}, std::move(rest)});
      else
        same->intervals.push_back(interval);
    }
    return groups;
  }

  bool cut(const Bdd& states, const Bits& bits, std::size_t open, std::uint64_t prefix,
           std::vector<std::pair<Interval, Bdd>>& pieces) {
    if (states.is_false()) return true;
    const auto occurring = support(states);
    const bool depends = std::ranges::any_of(
        bits.begin(), bits.begin() + static_cast<std::ptrdiff_t>(open),
        [&](std::size_t bit) { return std::ranges::binary_search(occurring, bit); });
    if (!depends) {
      const Interval all{prefix, prefix + (std::uint64_t{1} << open) - 1};
      if (!pieces.empty() && pieces.back().first.last + 1 == prefix &&
          pieces.back().second == states)
        pieces.back().first.last = all.last;
      else
        pieces.emplace_back(all, states);
      return pieces.size() <= max_intervals;
    }
    const std::size_t bit = open - 1;
    return cut(cofactor(states, Bdd::literal(bits[bit], false)), bits, bit, prefix, pieces) &&
           cut(cofactor(states, Bdd::literal(bits[bit], true)), bits, bit,
               prefix | (std::uint64_t{1} << bit), pieces);
  }

  Term value_in(std::size_t index, const std::vector<Interval>& intervals, std::size_t& parts) {
    const Slot& slot = encoding_.slots()[index];
    std::uint64_t values = 0;
    for (const Interval& i : intervals) values += i.last - i.first + 1;
    if (values == slot.size) return arena().truth();
    parts += intervals.size();
    Term t = slot_term(component_, slot);
    std::vector<Term> terms;
    if (t->sort->kind == SortKind::Int) {
      for (const Interval& i : intervals) terms.push_back(interval(slot, t, i));
      return arena().disj(std::move(terms));
    }
    auto is = [&](std::uint64_t v) {
      return arena().eq(t, arena().constant(t->sort, static_cast<Integer>(v)));
    };
    if (slot.size - values < values) { // fewer are excluded than included
      std::uint64_t v = 0;
      for (const Interval& i : intervals) {
        for (; v < i.first; ++v) terms.push_back(arena().negate(is(v)));
        v = i.last + 1;
      }
      for (; v < slot.size; ++v) terms.push_back(arena().negate(is(v)));
      return arena().conj(std::move(terms));
    }
    for (const Interval& i : intervals)
      for (std::uint64_t v = i.first; v <= i.last; ++v) terms.push_back(is(v));
    return arena().disj(std::move(terms));
  }

  Term interval(const Slot& slot, Term t, const Interval& i) {
    auto number = [&](std::uint64_t code) {
      return arena().integer(Integer{slot.low} + static_cast<Integer>(code));
    };
    if (i.first == i.last) return arena().eq(t, number(i.first));
    std::vector<Term> parts;
    if (i.first > 0) parts.push_back(arena().ge(t, number(i.first)));
    if (i.last != slot.size - 1) parts.push_back(arena().le(t, number(i.last)));
    return arena().conj(std::move(parts));
  }

  const Encoding& encoding_;
  const Component& component_;
  std::vector<std::size_t> slot_of_; // per current bit
  std::unordered_map<int, std::pair<Bdd, Cover>> covers_;
  std::size_t splits_ = 0;
};

} // namespace

std::optional<Term> describe_set(const Encoding& encoding, const Bdd& states) {
  if (states.is_false()) return encoding.component().arena().falsehood();
  if (node_count(states) > max_nodes) return std::nullopt;
  try {
    return SetDescriber(encoding).cover(states).term;
  } catch (const TooLong&) {
    return std::nullopt;
  }
}

} // namespace tacit
