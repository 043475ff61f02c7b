#include "synthesis/protocol/explore.h"

namespace tacit {
namespace {

/// Regions to states. Numbers of single states are small and dense, those of sets have a high bit:
/// two flat tables.
class RegionIndex {
public:
  State* find_or_add(Region region) {
    auto& table = (region >> 31) ? high_ : low_;
    const std::size_t at = region & 0x7fffffffu;
    if (table.size() <= at) table.resize(std::max(at + 1, table.size() * 2), no_state);
    return &table[at];
  }

private:
  std::vector<State> low_, high_;
};

/// While this is there the oracle gives up when the budget has run out.
class Watched {
public:
  Watched(Oracle& oracle, Budget& budget) : oracle_(oracle) { oracle.watch(&budget); }
  ~Watched() { oracle_.watch(nullptr); }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

private:
  Oracle& oracle_;
};

} // namespace

Result<Exploration> explore(Oracle& oracle, Budget& budget, const KindOf& kind) {
  const Component& component = oracle.component();
  const std::size_t calls = component.calls().size();
  Exploration result{Protocol(component), {}, true};
  Dfa& dfa = result.protocol.dfa;
  RegionIndex index;
  const std::vector<bool> nothing(calls, false);
  const Watched watched(oracle, budget);

  auto state_of = [&](Region region) {
    State* known = index.find_or_add(region);
    if (*known == no_state) {
      *known = result.protocol.add_state(nothing);
      result.regions.push_back(region);
    }
    return *known;
  };

  for (std::size_t k = 0; k < component.constructors().size(); ++k) {
    const Region start = oracle.start(k);
    dfa.add_entry(start == empty_region ? no_state : state_of(start));
  }
  if (auto failure = oracle.failure()) return std::unexpected(*failure);
  std::vector<bool> allowed(calls);
  for (State q = 0; q < dfa.states(); ++q) {
    budget.count_steps();
    if (budget.exhausted()) {
      result.complete = false;
      break;
    }
    const Region region = result.regions[q];
    for (std::size_t c = 0; c < calls; ++c) {
      allowed[c] = !oracle.errs(region, c);
      if (!allowed[c]) continue;
      for (std::size_t o = 0; o < component.calls()[c].outcomes.size(); ++o) {
        const auto letter = static_cast<Letter>(component.letter_of(c, o));
        const Region next = oracle.post(region, letter);
        if (next != empty_region) dfa.set_next(q, letter, state_of(next));
      }
    }
    if (auto failure = oracle.failure()) return std::unexpected(*failure);
    dfa.set_colour(q, result.protocol.colour_of(allowed, kind ? kind(region) : 0));
  }
  return result;
}

} // namespace tacit
