// The CEGAR algorithm of "Algorithms for Interface Synthesis" (Algorithms 4 and 5): variables are
// hidden, and made visible again one counterexample at a time until the abstraction is visibly
// deterministic. It wins where few variables matter.
//
// Variables are those of the text, or with --hide bits the bits of their values: the paper's
// variables are Boolean.
//
// Abstract states are valuations of the kept variables, as regions ("cubes"). By Lemma 1 one check
// suffices: two abstract runs of the same word may not disagree on whether a call errs (nor, since
// our interfaces are full, on whether an outcome can happen). Components that are not visibly
// deterministic themselves are explored as `direct` does once a counterexample shows it.
#pragma once

#include "synthesis/protocol/engine.h"

namespace tacit {

Result<Synthesis> synthesise_cegar(const Component& component, const SynthesisOptions& options,
                                   Budget& budget);

} // namespace tacit
