#include "program/ir/reals.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

namespace tacit {

namespace {

/// The place of infinity.
constexpr Integer last_place = Integer{0x7FF0} << 48;

} // namespace

Type real_type(Sort int_sort) { return {.sort = int_sort, .low = -last_place, .high = last_place}; }

bool is_real(const Type& type) { return type.low == -last_place && type.high == last_place; }

std::optional<Integer> place_of(double number) {
  if (std::isnan(number)) return std::nullopt;
  // The bits of numbers above zero are ordered as these are.
  const auto place = static_cast<Integer>(std::bit_cast<std::uint64_t>(std::fabs(number)));
  return number < 0 ? -place : place;
}

double number_at(Integer place) {
  const auto bits = static_cast<std::uint64_t>(place < 0 ? -place : place);
  const auto number = std::bit_cast<double>(bits);
  return place < 0 ? -number : number;
}

std::optional<double> parse_real(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string real_text(Integer place) {
  std::string text = fmt::format("{}", number_at(place));
  if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
  return text;
}

} // namespace tacit
