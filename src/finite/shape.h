// Types as sequences of scalars: a map over finite keys is its elements, key by key.
#pragma once

#include <cstdint>
#include <vector>

#include "base/diagnostic.h"
#include "component/component.h"

namespace tacit {

/// Scalars of a value; 0 when the type has no finite shape.
std::size_t width_of(const Type& type);
/// The types of the scalars.
std::vector<const Type*> scalars_of(const Type& type);

/// Between values and their scalars.
Value value_of(const Type& type, const std::vector<Integer>& scalars);
std::vector<Integer> scalars_of(const Type& type, const Value& value);

/// One scalar of the state.
struct Slot {
  std::size_t variable = 0; // index into Module::state
  std::int64_t low = 0;
  std::uint64_t size = 0;   // number of values from `low` on; 0: any 64-bit integer
  std::vector<Integer> key; // for an element of a map: its keys
};

/// The scalars of the state, variable by variable.
Result<std::vector<Slot>> state_slots(const Component& component);
/// `table[3]` as a term.
Term slot_term(const Component& component, const Slot& slot);

} // namespace tacit
