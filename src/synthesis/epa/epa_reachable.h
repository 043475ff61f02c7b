// Which transitions of an enabledness abstraction some run really takes.
//
// Algorithm 1 starts from every state that the invariant and enabledness allow. Here each
// transition is looked for along runs from a constructor: forwards from states that were met, and
// where those do not do, backwards from the transition by preimages until one of them is met.
#pragma once

#include "synthesis/epa/epa_explore.h"

namespace tacit {

/// Transitions that a run takes become certain, with a step of it as example; all others become
/// uncertain.
void witness_reachable(EpaGraph& graph, const ActionSystem& system, Solver& solver, Budget& budget);

} // namespace tacit
