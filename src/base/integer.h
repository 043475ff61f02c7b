// The integers of programs and terms: wide enough for every machine type and for
// sums and products of them, with a bound that every operation checks.
//
// A value x is in range when |x| < 2^120. The room up to 2^127 lets sums be
// formed first and tested afterwards.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tacit {

using Integer = __int128;

/// 2^120, the first magnitude that is out of range.
inline constexpr Integer integer_bound = Integer{1} << 120;

constexpr bool in_range(Integer value) { return -integer_bound < value && value < integer_bound; }

/// Decimal, with a minus sign where needed.
std::string to_string(Integer value);

/// A double would be cut to an integer silently.
template <std::floating_point T> std::string to_string(T value) = delete;

/// Reads an optional minus sign and decimal digits, nothing else around them.
/// No value when the text is not a number or the number is out of range.
std::optional<Integer> parse_integer(std::string_view text);

// Arithmetic on operands in range; no value when the result is out of range.

std::optional<Integer> checked_add(Integer left, Integer right);
std::optional<Integer> checked_sub(Integer left, Integer right);
std::optional<Integer> checked_mul(Integer left, Integer right);

/// Division that rounds towards zero, as C and Java do. No value for divisor 0.
std::optional<Integer> div_trunc(Integer dividend, Integer divisor);

/// The remainder that belongs to div_trunc; it has the sign of the dividend.
std::optional<Integer> mod_trunc(Integer dividend, Integer divisor);

std::size_t hash_value(Integer value);

/// Mixes one more hash into a running one; order matters.
constexpr std::size_t hash_combine(std::size_t seed, std::size_t hash) {
  return seed ^ (hash + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2));
}

/// For unordered containers: `std::unordered_set<Integer, IntegerHash>`. The
/// standard library has no std::hash for __int128.
struct IntegerHash {
  std::size_t operator()(Integer value) const { return hash_value(value); }
};

} // namespace tacit
