// States of an automaton that no word of the component leads to in truth.
#pragma once

#include "abstraction/formula/trace.h"
#include "automata/dfa.h"
#include "logic/solver/solver.h"

namespace tacit {

/// For each such state its shortest word, which cannot happen. The automaton's entries are the
/// constructors. A state is left out when some word into it, found breadth first, can happen.
std::vector<Trace> unreachable_states(const ComponentFormulas& formulas, Solver& solver,
                                      const Dfa& dfa);

} // namespace tacit
