// What every answer says first (docs/semantics.md, 2.12): which errors counted and at how many
// sites, which calls no state allows, what was left out and set aside, and why.
#pragma once

#include <string>
#include <vector>

#include "interface/interface.h"

namespace tacit {

/// "errors: throws:E (3 sites)", "never allowed: close", …; nothing where a result does not tell.
std::vector<std::string> first_lines(const Interface& interface);

} // namespace tacit
