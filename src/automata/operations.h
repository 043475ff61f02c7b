// Boolean operations, trimming and comparison of automata.
//
// All functions of two automata require the same number of letters and the same
// number of entries; entry i of the one is paired with entry i of the other.
// Products explore only the pairs reachable from these, breadth first, so their
// results are numbered canonically. The language of an entry is the set of
// words that lead from it to a state of colour != 0; a missing successor and an
// absent entry reject.
#pragma once

#include <cstddef>
#include <optional>

#include "automata/canonical.h"
#include "automata/dfa.h"

namespace tacit {

/// Accepts what both accept, in the colour that `a` gives the word. Missing
/// where either is missing.
Dfa intersect(const Dfa& a, const Dfa& b);

/// Accepts what at least one accepts, in the colour of `a` if `a` accepts, else
/// in that of `b`. Missing where both are missing.
Dfa unite(const Dfa& a, const Dfa& b);

/// All missing successors and absent entries lead to one explicit state of
/// colour 0 that loops on every letter. It is the last state, and is added only
/// if something is missing.
Dfa complete(const Dfa& dfa);

/// complete(dfa) with colours exchanged: 0 becomes 1, all others become 0.
Dfa complement(const Dfa& dfa);

/// Only the states that some entry reaches, in their old order.
Renumbered trim(const Dfa& dfa);

/// Only the states from which an accepting state can be reached, in their old
/// order; transitions into dropped states become missing, dropped entries become
/// no_state. Keeps the language of each entry. Unreachable states stay.
Renumbered trim_coreachable(const Dfa& dfa);

/// A word on which two automata disagree, and how.
struct Difference {
  Word word;
  bool in_first;            // the first automaton accepts the word
  std::size_t entry;        // from this entry of both
  Colour first_colour = 0;  // where the word leads in the first (0: missing)
  Colour second_colour = 0; // and in the second
};

/// The shortest word whose acceptance differs, the lexicographically least by
/// letter number among these, the one of the least entry among those.
/// No value: all languages agree, entry by entry.
std::optional<Difference> difference(const Dfa& a, const Dfa& b);

/// The least word, in the same sense, that `a` accepts and `b` does not.
/// BEWARE: no value means that `a` IS included in `b`; the value is the
/// counterexample. Read it as `if (auto counterexample = included(a, b))`.
std::optional<Difference> included(const Dfa& a, const Dfa& b);

/// The least word to states of different colours. A missing state counts as
/// colour 0, so missing and explicit rejection are not told apart. If both
/// accept in different colours, in_first is true.
std::optional<Difference> difference_by_colour(const Dfa& a, const Dfa& b);

} // namespace tacit
