// Which of many predicates a word needs. Position by position, what holds of every run along the
// word is known as literals; backwards from the end, each step needs some of them.
#pragma once

#include "abstraction/formula/trace.h"

namespace tacit {

/// Of `fresh`, those with which (and with `known`) abstraction sees that no run along the word ends
/// in `goal`, a formula over the state and the inputs of the last call. nullopt when it takes more
/// than literals that hold of all runs.
std::optional<std::vector<Term>> needed(const ComponentFormulas& formulas, const Trace& trace,
                                        Term goal, const std::vector<Term>& known,
                                        const std::vector<Term>& fresh, Solver& solver);

} // namespace tacit
