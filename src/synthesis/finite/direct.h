// The direct algorithm of "Algorithms for Interface Synthesis" (Algorithm 1): the errorless
// automaton of a finite component, pruned (Algorithm 2, with --serial) and minimised.
// Nondeterministic components go through the subset construction first, so that a call is allowed
// only when no state a word may have reached errs on it.
#pragma once

#include "synthesis/protocol/engine.h"

namespace tacit {

Result<Synthesis> synthesise_direct(const Component& component, const SynthesisOptions& options,
                                    Budget& budget);

} // namespace tacit
