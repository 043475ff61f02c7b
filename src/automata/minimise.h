// Minimisation of partial, coloured automata with several entries.
//
// Two states are merged exactly if their colours agree and, for every letter,
// both successors are missing or both exist and are merged. So "missing" is
// told apart from every explicit state: a state of colour 0 from which nothing
// can be accepted is kept as a state and is never taken for a missing
// successor. A caller who wants the least automaton *of a language* first drops
// such states: minimise(trim_coreachable(dfa).dfa), see operations.h.
//
// States that no entry reaches are removed. Classes are numbered by their least
// member, hence all variants below return the same automaton, and the result of
// minimising a canonical automaton (canonical.h) is canonical.
#pragma once

#include <vector>

#include "automata/dfa.h"

namespace tacit {

struct Minimised {
  Dfa dfa;
  std::vector<State> class_of; // old state -> new state, no_state if removed
};

/// The everyday function.
Minimised minimise(const Dfa& dfa);

/// Hopcroft's "process the smaller half" in the formulation of Valmari and
/// Lehtinen (Efficient Minimization of DFAs with Partial Transition Functions,
/// STACS 2008; Valmari, Fast Brief Practical DFA Minimization, IPL 2012): two
/// refinable partitions, one of states, one of transitions, that split each
/// other. O(n + m log n) for m existing transitions; at most about 36 bytes per
/// transition besides the two automata.
Minimised minimise_hopcroft(const Dfa& dfa);

/// Moore's rounds of refinement by signature: short, obviously right, quadratic
/// on long chains. There to cross-check the other one.
Minimised minimise_moore(const Dfa& dfa);

} // namespace tacit
