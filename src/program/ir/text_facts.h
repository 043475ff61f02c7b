// What can be asked of a text that says something known, by the name of the question: `length`,
// `isBlank`, `indexOf(58)`, `startsWith(ab)`, `trim().isEmpty`. Front ends keep such facts of texts
// that are not known as maps `String.isBlank`; whoever meets a text computes them here.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/integer.h"

namespace tacit {

/// Truths are 0 and 1, lengths and positions in UTF-16 units. No value for a question that nobody
/// answers here.
std::optional<Integer> text_fact(std::string_view text, std::string_view question);

/// The same as C++ asks its strings of bytes: `find(64)`, `compare(0,7,http://)`, `at(0)`. What
/// stands for `npos` is the largest number of 64 bits; of comparisons only the sign means
/// something.
std::optional<Integer> byte_text_fact(std::string_view text, std::string_view question);

/// What `substr(7).text` asks for.
std::optional<std::string> byte_changed_text(std::string_view text, std::string_view question);

/// What `trim().toLowerCase().text` asks for; nothing where that is not known.
std::optional<std::string> changed_text(std::string_view text, std::string_view question);

/// Java's hash code.
Integer text_hash(std::string_view text);

} // namespace tacit
