// Canonical numbering: equal automata up to renaming of states become equal
// values, and people meet the states in the order in which calls lead to them.
#pragma once

#include <span>
#include <vector>

#include "automata/dfa.h"

namespace tacit {

struct Renumbered {
  Dfa dfa;
  std::vector<State> new_id; // old state -> new state, no_state if dropped
};

/// Numbers the states breadth first: the entries in their order, then the
/// successors of each state in the given order of letters, which has to name
/// each letter exactly once. Unreachable states are dropped. The letters
/// themselves keep their numbers.
Renumbered canonical(const Dfa& dfa, std::span<const Letter> order);

/// The same with the letters in ascending order.
Renumbered canonical(const Dfa& dfa);

} // namespace tacit
