// "Permissive Interfaces" (Henzinger, Jhala, Majumdar): safe and permissive interfaces of
// components with unbounded state, by two predicate abstractions that are refined in turn.
//
//   step 1  ReconstructMax: the largest interface that the safety abstraction proves safe
//   step 2  Check: the permissiveness abstraction, run along that interface, shows that every
//   refused call errs step 3  Refine: a word on which it does not is legal (CXSAFE: the safety
//   abstraction learns why), illegal (CXPERM: the
//           other one does), or both, by the component's own choices (CXBOTH: refused, but not
//           proved by labels)
//
// Predicates come from weakest preconditions along the word.
#pragma once

#include "synthesis/engine.h"

namespace tacit {

Result<Synthesis> synthesise_permissive(const Component& component, const SynthesisOptions& options,
                                        Budget& budget);

} // namespace tacit
