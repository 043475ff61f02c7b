// What a local holds before it is assigned.
#pragma once

#include "program/ir/type.h"

namespace tacit {

/// 0, false, null, the first enumerator, a map of these everywhere; for an integer whose range
/// excludes 0, the end of the range that is nearest to it.
Value default_value(const Type& type);

Term default_term(TermArena& arena, const Type& type);

} // namespace tacit
