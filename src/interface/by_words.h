// An enabledness abstraction as people read words off it: the deterministic interface whose states
// are the sets of abstract states that a word may lead to. A call is allowed where one of them
// enables it.
#pragma once

#include "interface/interface.h"

namespace tacit {

/// Nothing when there are more than `most_states` sets.
std::optional<Interface> by_words(const Interface& epa, std::size_t most_states);

} // namespace tacit
