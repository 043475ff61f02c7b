// Checks that an interface for infinite runs is the pruned form of the one that carries the
// evidence.
//
// Pruning is recomputed here, call by call: a state is dead when each of its calls is refused or
// has an outcome that leads to a dead state, since the client picks the call but not the outcome.
// What is left refuses the calls that may lead to a dead state. Both automata are compared over the
// component's own letters, so that it does not matter which outcomes either file merges.
#pragma once

#include "check/report.h"
#include "check/structure.h"
#include "component/component.h"

namespace tacit {

void check_pruning(const Interface& before, const Alignment& before_alignment,
                   const Interface& after, const Alignment& after_alignment,
                   const Component& component, Findings& findings);

} // namespace tacit
