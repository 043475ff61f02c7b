// Floating point numbers, as far as they are copied and compared: each stands for its place in the
// order of all of them, an integer. Zero is 0, and what is equal has one place. What is computed
// from them is not known; what is no number (NaN) does not occur.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/integer.h"
#include "program/ir/type.h"

namespace tacit {

/// The type of such places: no machine integer has its range.
Type real_type(Sort int_sort);
bool is_real(const Type& type);

/// nullopt: it is no number.
std::optional<Integer> place_of(double number);
double number_at(Integer place);

/// As people write it, `0.5`.
std::optional<double> parse_real(std::string_view text);
std::string real_text(Integer place);

} // namespace tacit
