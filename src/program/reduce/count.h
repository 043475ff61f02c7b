// Loops that only count, without the loop: `while (i < n) { i := i + 1; k := k + 2; }` is
// `k := k + 2 * (n - i); i := n` where i < n. Nothing is approximated.
//
// Taken are loops of one straight body whose assignments add constants to numbers, each to its own,
// and that go on while a number that moves by one has not met a bound that stays. What would never
// end is assumed away: such runs do not come back.
#pragma once

#include "program/ir/module.h"

namespace tacit {

void close_counting_loops(Module& module);

} // namespace tacit
