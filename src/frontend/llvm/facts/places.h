// Which bits of an object its fields take.
#pragma once

#include <algorithm>
#include <cstdint>

#include "frontend/llvm/facts/source_facts.h"

namespace tacit {

/// Bits of the field, or of one of its elements if it is an array: those of an array of structs do
/// not lie side by side.
inline std::uint64_t element_bits(const FieldFact& field) {
  const bool whole = field.type.kind == SourceType::Kind::Object || field.bit_width == 0;
  return field.count > 0 && whole ? field.stride : field.bit_width;
}

/// The first element of an array that ends behind a place.
inline std::uint64_t first_behind(const FieldFact& field, std::uint64_t low) {
  const std::uint64_t end = field.bit_offset + element_bits(field);
  return low < end ? 0 : (low - end) / field.stride + 1;
}

inline bool overlaps(const FieldFact& field, std::uint64_t low, std::uint64_t high) {
  if (field.count == 0) return field.bit_offset < high && low < field.bit_offset + field.bit_width;
  const std::uint64_t first = first_behind(field, low);
  return first < field.count && field.bit_offset + first * field.stride < high;
}

} // namespace tacit
