// What is known where a part of a formula matters.
#pragma once

#include "logic/term/term.h"

namespace tacit {

/// An equivalent formula: a literal of a conjunction is true in its other parts, one of a
/// disjunction false. `p && ((p ? a : b) >= 0)` becomes `p && a >= 0`.
Term with_known_literals(TermArena& arena, Term formula);

} // namespace tacit
