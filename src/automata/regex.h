// Regular expressions for people.
//
// State elimination on the least automaton of the language, cheap states first
// (the weight of Delgado and Morais, CIAA 2004), with rewriting on the way. For
// small automata several orders are tried; the shortest result is taken, or the
// one written around the start state if that is not much longer. The result is
// correct, short where that is easy, and not claimed to be least.
//
//   (open (read | write)* close)* (open (read | write)*)?
//
// Notation, loosest first: `x | y`, `x y`, then the postfixes `x*`, `x+`, `x?`;
// `( )` for grouping, `ε` for the empty word, `∅` for the empty language. The
// names of letters are put in as they are: a name with spaces or with one of
// these signs will be hard to read.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "automata/dfa.h"

namespace tacit {

/// The language of `start` (no_state: ∅), all colours but 0 accepting. Returns
/// the empty string if the expression has more than `limit` bytes, and gives up
/// early, with the same result, if the least automaton has more than `limit` (or
/// more than 1000) states or when the expressions on the way grow far beyond the
/// limit (or beyond 1 MiB).
std::string regular_expression(const Dfa& dfa, State start,
                               const std::function<std::string(Letter)>& name, std::size_t limit);

} // namespace tacit
