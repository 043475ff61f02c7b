// Reads of maps.
#pragma once

#include "logic/term/term.h"

namespace tacit {

/// The same term with reads of updated, constant and conditional maps as reads of the maps
/// underneath: `m[k := v][j]` becomes `k == j ? v : m[j]`. Conditional keys likewise.
Term push_reads(TermArena& arena, Term term);

} // namespace tacit
