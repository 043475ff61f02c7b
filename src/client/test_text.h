// Pieces of source text that tests are written from: whatever comes from results is escaped here.
#pragma once

#include <string>
#include <string_view>

#include "base/integer.h"

namespace tacit {

/// A literal of C and C++.
std::string c_quoted(std::string_view text);
/// A literal of Java, in Unicode escapes where it is not ASCII.
std::string java_quoted(std::string_view text);

/// A number of at most 64 bits; those that are no int get a suffix.
std::string c_number(Integer number, bool is_signed);

/// Letters, digits and underscores, never empty, never a digit first.
std::string identifier(std::string_view text);

/// `state_1_pay_0_is_refused_12`: from a title and a number that tells it from others.
std::string test_name(std::string_view title, std::size_t index);

/// What can stand in a comment that ends with the line, in any encoding.
std::string one_line(std::string_view text);

} // namespace tacit
