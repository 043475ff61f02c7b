// Sets of states as predicates that a person can read.
#pragma once

#include <optional>
#include <vector>

#include "finite/compiled.h"

namespace tacit {

/// Exactly the given rows (state slots of frames), by splitting on the variable that divides them
/// into the fewest kinds. nullopt when there are too many rows.
std::optional<Term> describe_rows(const Component& component, const std::vector<Slot>& slots,
                                  std::vector<Frame> rows);

} // namespace tacit
