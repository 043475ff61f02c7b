// Prints terms in the component's own vocabulary: `state == SIGN && cursor >= 0`.
// What is printed parses back (parse.h) to the same term.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "logic/term/term.h"

namespace tacit {

std::string to_string(Term term);

/// A name as it must be written in an expression: plain if it is an identifier, else between
/// backquotes.
std::string quote_name(std::string_view name);

/// A Boolean variable with this at the end of its name says that a reference is not null
/// (program/reduce/nullness.h). It is printed, and read, as the comparison that it stands for.
inline constexpr std::string_view not_null_suffix = " != null";

/// `x` for the variable `x != null`.
std::optional<std::string_view> tested_for_null(Term variable);

} // namespace tacit
