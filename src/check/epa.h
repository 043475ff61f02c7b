// Re-checks an enabledness abstraction from the result alone (docs/evidence.md).
//
//   structure    every call once, states with different sets, each met on some way
//   clauses      each enabledness predicate is where some arguments satisfy the requires clause, or
//                bring the call to a normal return
//   invariant    as given; constructors end in it and calls keep it, except where that is not
//                claimed
//   states       there is a component state that enables exactly these calls
//   transitions  one that is certain has an example that the interpreter confirms (or the second
//                solver finds one whatever is hidden); with successors of reachable states, a run
//   absence      no other successor: one query for each state and call
//
// A transition or start that is uncertain claims nothing, and so does `may break`.
#pragma once

#include "check/report.h"
#include "component/component.h"
#include "interface/interface.h"

namespace tacit {

/// Returns the number of queries.
std::size_t check_epa(const Interface& interface, const Component& component, Budget* budget,
                      CheckReport& report, Findings& findings);

} // namespace tacit
