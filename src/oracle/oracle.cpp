#include "oracle/oracle.h"

#include <deque>

namespace tacit {

std::vector<Region> SetOracle::reachable(const Dfa& dfa) {
  std::vector<Region> regions(dfa.states(), empty_region);
  std::vector<std::vector<Region>> waiting(dfa.states());
  std::deque<State> work;
  auto offer = [&](State q, Region region) {
    if (region == empty_region) return;
    if (waiting[q].empty()) work.push_back(q);
    waiting[q].push_back(region);
  };
  for (std::size_t k = 0; k < dfa.entries().size(); ++k)
    if (dfa.entries()[k] != no_state) offer(dfa.entries()[k], start(k));
  while (!work.empty() && !failure()) {
    const State q = work.front();
    work.pop_front();
    const Region fresh = minus(unite(waiting[q]), regions[q]);
    waiting[q].clear();
    if (fresh == empty_region) continue;
    regions[q] = unite({regions[q], fresh});
    for (Letter l = 0; l < dfa.letters(); ++l)
      if (const State to = dfa.next(q, l); to != no_state) offer(to, post(fresh, l));
  }
  return regions;
}

} // namespace tacit
