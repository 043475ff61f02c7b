// Types as sequences of scalars: a map over finite keys is its elements, key by key, as in
// finite/compiled.h.
#pragma once

#include <vector>

#include "base/diagnostic.h"
#include "component/component.h"
#include "finite/compiled.h"

namespace tacit {

/// Scalars of a value; 0 when the type has no finite shape.
std::size_t width_of(const Type& type);
/// The types of the scalars.
std::vector<const Type*> scalars_of(const Type& type);

/// Between values and their scalars.
Value value_of(const Type& type, const std::vector<Integer>& scalars);
std::vector<Integer> scalars_of(const Type& type, const Value& value);

/// The scalars of the state. Each must have at most 2^60 values.
Result<std::vector<Slot>> state_slots(const Component& component);
/// `table[3]` as a term.
Term slot_term(const Component& component, const Slot& slot);

} // namespace tacit
