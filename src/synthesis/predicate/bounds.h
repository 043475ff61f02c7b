// The bound from above, for runs that did not settle permissiveness: an interface that refuses only
// what surely errs, so that the wanted one lies between it and the safe one.
#pragma once

#include "abstraction/maymust/may_must.h"
#include "interface/interface.h"
#include "synthesis/protocol/protocol.h"

namespace tacit {

struct PermissiveBound {
  Interface interface;           // the automaton alone
  std::vector<std::string> word; // the shortest that it allows and the safe one does not
};

/// An interface without states: names of calls and constructors.
Interface named_interface(const Component& component, const std::string& engine);

/// The interface of the must abstraction, unless the budget does not suffice for it.
std::optional<PermissiveBound> permissive_bound(MayMust& abstraction, const Protocol& safe,
                                                Budget& budget);
/// Allows every call always: permissive, whatever the component does.
PermissiveBound allows_everything(const Component& component, const Protocol& safe);

} // namespace tacit
