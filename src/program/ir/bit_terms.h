// A bit of a number by its position, where the position is a variable: `x & (1 << k)`. One case
// for each position, in a form that passes know again (program/reduce/flags.h).
#pragma once

#include "logic/term/term.h"

namespace tacit {

/// Bit `bit` of a number that is not negative.
Term bit_of(TermArena& arena, Term number, int bit);

/// Whether the bit of a number that is not negative is set, for positions below `count`; false for
/// others.
Term bit_at(TermArena& arena, Term number, Term position, int count);

/// 2^position for positions below `count`, 0 for others.
Term power_at(TermArena& arena, Term position, int count);

/// The same where the position is known to be below `count`; never 0.
Term power_below(TermArena& arena, Term position, int count);

} // namespace tacit
