// The bound from above, for runs that did not settle permissiveness: an interface that refuses only
// what surely errs, so that the wanted one lies between it and the safe one.
#pragma once

#include <functional>

#include "abstraction/maymust/may_oracle.h"
#include "interface/interface.h"
#include "synthesis/protocol/protocol.h"

namespace tacit {

struct PermissiveBound {
  Interface interface;           // the automaton alone
  std::vector<std::string> word; // the shortest that it allows and the safe one does not
};

/// `surely_errs` tells whether every state of a cube errs on a call. Where the automaton would be
/// too large, the one that allows everything.
PermissiveBound permissive_bound(MayOracle& oracle,
                                 const std::function<bool(Cube, std::size_t call)>& surely_errs,
                                 const Protocol& safe);

} // namespace tacit
