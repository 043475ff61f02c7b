// The automaton of regions: the subset construction over an oracle, breadth first. With an exact
// oracle this is the largest safe interface that knows exactly which outcomes can happen.
#pragma once

#include <functional>

#include "base/budget.h"
#include "oracle/oracle.h"
#include "synthesis/protocol/protocol.h"

namespace tacit {

struct Exploration {
  Protocol protocol;
  std::vector<Region> regions; // per state
  bool complete = true;        // false: the budget ran out; unexplored states allow nothing
};

/// What an engine tells regions apart by, beside the calls that they allow.
using KindOf = std::function<std::size_t(Region)>;

/// Fails when the oracle gives up.
Result<Exploration> explore(Oracle& oracle, Budget& budget, const KindOf& kind = {});

} // namespace tacit
