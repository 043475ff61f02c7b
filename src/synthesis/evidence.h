// Labels and must-nodes for an automaton over an exact oracle (docs/evidence.md).
//
// The label of a state is the set of component states that some word into it reaches: the least
// solution of initiation and consecution. A refusal or an outcome that holds for the whole label
// needs nothing more. Where the states of one word disagree, a must-node names those that agree
// with the claim, and is justified backwards: along every transition into the state, the states
// that can reach it are a must-node at the transition's origin, and so on until the whole label is
// meant or a node repeats.
#pragma once

#include <vector>

#include "interface/interface.h"
#include "oracle/oracle.h"

namespace tacit {

/// Fills Interface::evidence and the states' labels; `regions` are the labels as regions
/// (SetOracle::reachable). False when some predicate is too large to write down.
bool add_evidence(Interface& interface, const std::vector<Region>& regions, SetOracle& oracle);

} // namespace tacit
