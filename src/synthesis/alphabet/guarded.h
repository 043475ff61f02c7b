// Guarded protocols by any engine: find the alphabet, refine the component by it, let the engine
// work on letters, and fold what it says back (docs/semantics.md, 11).
#pragma once

#include "synthesis/protocol/engine.h"

namespace tacit {

struct GuardedEngines {
  const Engine& plain;
  const Engine& tracking; // where values are tracked: it should not go through them one by one
};

/// A component in which no argument, result or counter matters goes to the engine as it is.
Result<Synthesis> synthesise_guarded(const Component& component, const GuardedEngines& engines,
                                     const SynthesisOptions& options, Budget& budget);

} // namespace tacit
