// Prints terms in the component's own vocabulary: `state == SIGN && cursor >= 0`.
// What is printed parses back (parse.h) to the same term.
#pragma once

#include <string>
#include <string_view>

#include "logic/term/term.h"

namespace tacit {

std::string to_string(Term term);

/// A name as it must be written in an expression: plain if it is an identifier, else between
/// backquotes.
std::string quote_name(std::string_view name);

} // namespace tacit
