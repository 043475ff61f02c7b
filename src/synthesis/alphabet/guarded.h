// Guarded protocols by any engine: find the alphabet, refine the component by it, let the engine
// work on letters, and fold what it says back (docs/semantics.md, 11).
#pragma once

#include "synthesis/protocol/engine.h"

namespace tacit {

/// A component in which no argument, result or counter matters goes to the engine as it is.
Result<Synthesis> synthesise_guarded(const Component& component, const Engine& engine,
                                     const SynthesisOptions& options, Budget& budget);

} // namespace tacit
