// The part of an automaton on a set of its states. The sub-step of trimming,
// pruning and everything else that takes states away.
#pragma once

#include <vector>

#include "automata/canonical.h"
#include "automata/dfa.h"

namespace tacit {

/// The kept states in their old order; transitions into the others become
/// missing, entries among the others become no_state.
/// Requires keep.size() == dfa.states().
Renumbered restrict_to(const Dfa& dfa, const std::vector<bool>& keep);

} // namespace tacit
