// The part of ExplicitOracle that hides variables: everything is enumerated, so this is for small
// spaces and for comparison with the symbolic representation.
#include <algorithm>
#include <bit>
#include <map>

#include "finite/explicit.h"
#include "logic/term/print.h"

namespace tacit {
namespace {

constexpr std::uint64_t max_valuations = std::uint64_t{1} << 22;

} // namespace

void ExplicitOracle::hide_bits() {
  units_.clear();
  const auto& slots = compiled_->slots();
  for (std::size_t s = 0; s < slots.size(); ++s) {
    const auto bits = static_cast<unsigned>(std::bit_width(slots[s].size - 1)); // any: all 64
    for (unsigned bit = bits; bit-- > 0;) units_.push_back({s, bit});
  }
}

std::int64_t ExplicitOracle::value(const Frame& frame, const Unit& unit) const {
  const std::int64_t value = frame[unit.slot];
  if (!unit.bit) return value;
  return (value - compiled_->slots()[unit.slot].low) >> *unit.bit & 1;
}

std::string ExplicitOracle::variable_name(std::size_t variable) const {
  const Unit& unit = units_[variable];
  const Slot& slot = compiled_->slots()[unit.slot];
  Term t = component().module().state[slot.variable].term;
  for (Integer key : slot.key)
    t = component().arena().select(t, component().arena().constant(t->sort->key, key));
  return unit.bit ? fmt::format("bit {} of {}", *unit.bit, to_string(t)) : to_string(t);
}

Region ExplicitOracle::everything() {
  if (!everything_.empty()) return intern(everything_);
  const auto& slots = compiled_->slots();
  std::uint64_t total = 1;
  for (const Slot& slot : slots) {
    if (slot.size == 0 || total > max_valuations / slot.size) {
      failure_ = Diagnostic{{}, "there are too many valuations of the state to enumerate them", {}};
      return empty_region;
    }
    total *= slot.size;
  }
  Frame frame(slots.size());
  for (std::uint64_t i = 0; i < total; ++i) {
    std::uint64_t rest = i;
    for (std::size_t s = slots.size(); s-- > 0;) {
      frame[s] = slots[s].low + static_cast<std::int64_t>(rest % slots[s].size);
      rest /= slots[s].size;
    }
    everything_.push_back(store_.intern(frame));
  }
  std::ranges::sort(everything_);
  return intern(everything_);
}

Frame ExplicitOracle::projection(StateId state, const Kept& kept) const {
  Frame frame, key;
  store_.unpack(state, frame);
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (kept[i]) key.push_back(value(frame, units_[i]));
  return key;
}

Region ExplicitOracle::cylinder(Region region, const Kept& kept) {
  everything();
  std::map<Frame, bool> wanted;
  for (StateId s : states(region)) wanted[projection(s, kept)] = true;
  std::vector<StateId> all;
  for (StateId s : everything_)
    if (wanted.contains(projection(s, kept))) all.push_back(s);
  return intern(std::move(all));
}

std::vector<Region> ExplicitOracle::cubes(Region cylinder, const Kept& kept) {
  std::map<Frame, std::vector<StateId>> by_key;
  for (StateId s : states(cylinder)) by_key[projection(s, kept)].push_back(s);
  std::vector<Region> all;
  for (auto& [key, members] : by_key) all.push_back(intern(std::move(members)));
  return all;
}

Region ExplicitOracle::pick(Region region) { return states(region).front() + 1; }

Region ExplicitOracle::agreeing(Region region, Region state, std::size_t variable) {
  Frame wanted, frame;
  store_.unpack(states(state).front(), wanted);
  auto all = states(region);
  std::erase_if(all, [&](StateId s) {
    store_.unpack(s, frame);
    return value(frame, units_[variable]) != value(wanted, units_[variable]);
  });
  return intern(std::move(all));
}

Region ExplicitOracle::intersect(Region a, Region b) {
  std::vector<StateId> both;
  std::ranges::set_intersection(states(a), states(b), std::back_inserter(both));
  return intern(std::move(both));
}

} // namespace tacit
