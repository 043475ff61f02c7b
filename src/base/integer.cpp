#include "base/integer.h"

#include <algorithm>

namespace tacit {

namespace {

std::optional<Integer> when_in_range(Integer value) {
  if (!in_range(value)) return std::nullopt;
  return value;
}

} // namespace

std::string to_string(Integer value) {
  // The magnitude is taken digit by digit, because -value does not exist for the least value.
  std::string digits;
  const bool negative = value < 0;
  do {
    const int digit = static_cast<int>(value % 10);
    digits += static_cast<char>('0' + (digit < 0 ? -digit : digit));
    value /= 10;
  } while (value != 0);
  if (negative) digits += '-';
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::optional<Integer> parse_integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  Integer magnitude = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    magnitude = magnitude * 10 + (c - '0');
    if (!in_range(magnitude)) return std::nullopt;
  }
  return negative ? -magnitude : magnitude;
}

std::optional<Integer> checked_add(Integer left, Integer right) {
  Integer result;
  if (__builtin_add_overflow(left, right, &result)) return std::nullopt;
  return when_in_range(result);
}

std::optional<Integer> checked_sub(Integer left, Integer right) {
  Integer result;
  if (__builtin_sub_overflow(left, right, &result)) return std::nullopt;
  return when_in_range(result);
}

std::optional<Integer> checked_mul(Integer left, Integer right) {
  Integer result;
  if (__builtin_mul_overflow(left, right, &result)) return std::nullopt;
  return when_in_range(result);
}

std::optional<Integer> div_trunc(Integer dividend, Integer divisor) {
  if (divisor == 0) return std::nullopt;
  if (divisor == -1) return checked_sub(0, dividend); // the one quotient that can overflow
  return dividend / divisor;
}

std::optional<Integer> mod_trunc(Integer dividend, Integer divisor) {
  if (divisor == 0) return std::nullopt;
  if (divisor == -1) return Integer{0};
  return dividend % divisor;
}

std::size_t hash_value(Integer value) {
  const auto bits = static_cast<unsigned __int128>(value);
  return hash_combine(static_cast<std::uint64_t>(bits), static_cast<std::uint64_t>(bits >> 64));
}

} // namespace tacit
