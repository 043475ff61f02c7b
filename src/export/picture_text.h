// Conditions and letters as a picture has room for them: lines that are broken between conjuncts,
// never inside one, and what there is no room for is counted.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tacit {

/// Columns of a line beside an arrow.
inline constexpr std::size_t arrow_width = 46;

/// A condition in at most `most` lines of about `width` columns. Conjuncts and alternatives beyond
/// that become "… 2 more"; one that is wider than two lines is cut.
std::vector<std::string> condition_lines(const std::string& condition, std::size_t width,
                                         std::size_t most);

/// A letter with its condition and updates, `seek(ms) when 0 <= ms && ms < n / at := ms`: one line
/// if that fits, else the call, what it depends on, and what it sets.
std::vector<std::string> letter_lines(const std::string& letter, std::size_t width);

} // namespace tacit
