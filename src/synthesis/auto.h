// The engine that chooses. Components with unbounded state go to `permissive`. For finite ones the
// three algorithms of "Algorithms for Interface Synthesis" (Beyer, Henzinger, Singh) take turns in
// slices of work that grow fourfold, in a fixed order, so that the same input always has the same
// winner. The result says who won and why. Coarser views of lowered code are the pipeline's
// (pipeline/views.h).
#pragma once

#include "synthesis/protocol/engine.h"

namespace tacit {

Result<Synthesis> synthesise_auto(const Component& component, const SynthesisOptions& options,
                                  Budget& budget);

} // namespace tacit
