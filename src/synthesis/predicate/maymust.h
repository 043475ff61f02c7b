// "Learning Component Interfaces with May and Must Abstractions" (Singh, Giannakopoulou,
// Păsăreanu): minimal interfaces of components with unbounded state, learned over a may and a must
// abstraction that are refined on the fly. An interface that is safe for the one and permissive for
// the other is both for the component (Theorem 1).
//
//   BuildInterface (Algorithm 1)   learns the interface of the must abstraction, checks that it is
//                                  safe for the may abstraction, refines both and starts anew:
//                                  Refinement::Wp, WpCraig, RefineMay
//   LearnReuse (Algorithms 2 to 4) learns the interface of the component itself; whenever must and
//                                  may disagree about a word, they are refined until they agree,
//                                  and what was learned stays: Refinement::LearnReuse
//
// To the paper a word that cannot happen is legal, so what it calls permissive is what we call
// full: outcomes are left out where they cannot happen. There may be no finite full interface
// although there is a permissive one. Unless a full one is asked for, the engine notices that words
// about outcomes come without end, and then lets BuildInterface find the permissive one.
#pragma once

#include "synthesis/protocol/engine.h"

namespace tacit {

Result<Synthesis> synthesise_maymust(const Component& component, const SynthesisOptions& options,
                                     Budget& budget);

} // namespace tacit
