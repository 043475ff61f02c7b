// Terms as C expressions.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "logic/term/term.h"

namespace tacit {

/// How C says a variable; nothing when it cannot.
using CName = std::function<std::optional<std::string>(Term variable)>;

/// Nothing when C has no such expression, or a variable has no name there.
std::optional<std::string> c_expression(Term term, const CName& name);

} // namespace tacit
