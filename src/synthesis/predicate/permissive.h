// "Permissive Interfaces" (Henzinger, Jhala, Majumdar): safe, permissive and full interfaces of
// components with unbounded state, by predicate abstractions that are refined in turn.
//
//   step 1  ReconstructMax: the largest interface that the safety abstraction proves safe
//   step 2  Check: the permissiveness abstraction, run along that interface, shows that every
//           refused call errs
//   step 3  Refine: a word on which it does not is
//             legal (CXSAFE)    the safety abstraction learns why;
//             illegal (CXPERM)  the permissiveness abstraction learns why;
//             both (CXBOTH)     it errs in one run and not in another: must-nodes show that every
//                               word into the state can err
//   step 4  Tighten (with --full): every outcome that is listed can happen after every word into
//           its state; a word after which it cannot is learnt by the safety abstraction
//
// Predicates come from weakest preconditions along the word, and from interpolants when these give
// nothing new.
#pragma once

#include "synthesis/protocol/engine.h"

namespace tacit {

Result<Synthesis> synthesise_permissive(const Component& component, const SynthesisOptions& options,
                                        Budget& budget);

} // namespace tacit
