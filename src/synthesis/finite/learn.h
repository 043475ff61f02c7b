// The learning algorithm of "Algorithms for Interface Synthesis" (Algorithm 3): the interface is
// learned from membership questions on words and exact equivalence questions on products. It knows
// the fewest states from the start, so it wins where the interface is much smaller than the
// component.
#pragma once

#include "synthesis/protocol/engine.h"

namespace tacit {

Result<Synthesis> synthesise_learn(const Component& component, const SynthesisOptions& options,
                                   Budget& budget);

} // namespace tacit
