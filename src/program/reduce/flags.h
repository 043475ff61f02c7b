// Numbers that are sets of flags: `state & OPEN`, `flags |= DIRTY`. A variable of which nothing but
// bits is asked, and whose bits are only set, cleared and kept, is as many truths; where bits are
// asked for by a variable (`used & 1 << k`), it is a set of positions, a map to truths.
#pragma once

#include <set>
#include <string>

#include "program/ir/module.h"

namespace tacit {

/// Splits such state variables, but those of these names. Exact.
void split_flags(Module& module, const std::set<std::string>& kept);

} // namespace tacit
