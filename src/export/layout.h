// Lines of text that fit a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tacit {

/// Breaks at spaces so that no line is wider than `width`, where words allow it. The first line
/// begins with `first`, the others with as many spaces as `hang`. Ends with a newline. Line breaks
/// in `text` count as spaces.
std::string wrap(std::string_view text, std::size_t width, std::string_view first,
                 std::size_t hang);

/// The same with items that are never broken, separated by `separator` and a space.
std::string wrap_items(const std::vector<std::string>& items, std::string_view separator,
                       std::size_t width, std::string_view first, std::size_t hang);

/// At most `width` columns; what is cut off becomes "…". Line breaks and other control characters
/// become spaces.
std::string shorten(std::string_view text, std::size_t width);

/// "a", "a and b", "a, b and c".
std::string enumerate(const std::vector<std::string>& items);

/// "0, 2–5, 9": three in a row and more are a range.
std::string numbers_text(const std::vector<std::uint32_t>& numbers);

/// "1 state", "2 states".
std::string count_of(std::size_t number, std::string_view thing);

} // namespace tacit
