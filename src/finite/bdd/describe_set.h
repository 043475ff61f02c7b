// Sets of states, given as diagrams, as predicates that a person can read: the counterpart of
// finite/describe.h, with the same way of splitting and the same look.
#pragma once

#include <optional>

#include "finite/bdd/encoding.h"

namespace tacit {

/// Exactly the set, within the types. nullopt when that would be too long, as for relations between
/// wide scalars.
std::optional<Term> describe_set(const Encoding& encoding, const Bdd& states);

} // namespace tacit
