// Prune, Algorithm 2 of "Algorithms for Interface Synthesis" (Beyer, Henzinger,
// Singh; CAV 2007): takes away, backwards from the sink, every state that a
// client can only leave into the sink.
//
// A missing successor is the sink. A state all of whose successors are missing
// or removed is removed itself (in particular a state without successors), and
// so on until nothing changes. Colours play no role. Linear in the table: each
// state carries the number of its successors that are still there.
#pragma once

#include <vector>

#include "automata/dfa.h"

namespace tacit {

struct Pruned {
  Dfa dfa;                   // the kept states only, in their old order
  std::vector<bool> kept;    // by old state
  std::vector<State> new_id; // old state -> state of dfa, no_state if removed
};

/// Transitions into removed states become missing, removed entries become
/// no_state. Kept states that are no longer reachable stay, see trim().
Pruned prune(const Dfa& dfa);

} // namespace tacit
