// Generates the proof obligations of an interface (Propositions 1, 2 and 6 of "Permissive
// Interfaces", and must-nodes for what is not visibly deterministic) and discharges them with the
// second solver.
//
//   labels       initiation, consecution, and outcomes without transition cannot happen
//   safe         no allowed call may err in its label
//   permissive   a refused call must err everywhere in the label, or everywhere in a must-node
//   must-nodes   every realizable word into the state can reach the predicate
//   full         every transition can happen everywhere in the label, or everywhere in a must-node
//
// States range over all valuations that fit the types, reachable or not: that is what makes labels
// a proof.
#pragma once

#include "check/report.h"
#include "check/structure.h"
#include "component/component.h"
#include "interface/interface.h"

namespace tacit {

/// Only what the verdict claims as proved. Returns the number of queries.
std::size_t check_obligations(const Interface& interface, const Component& component,
                              const Alignment& alignment, Budget* budget, Findings& findings);

} // namespace tacit
