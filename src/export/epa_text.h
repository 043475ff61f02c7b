// What is said of an enabledness abstraction besides its automaton, as lines of text.
#pragma once

#include <string>
#include <vector>

#include "interface/interface.h"

namespace tacit {

/// What a result is: "call protocol" or "enabledness abstraction".
std::string what_it_is(const Interface& interface);

/// When each call is enabled, and the invariant; empty unless it is an abstraction.
std::vector<std::string> clause_lines(const Interface& interface);

/// "never enabled: …"; empty unless it is an abstraction.
std::vector<std::string> remark_lines(const Interface& interface);

/// What the marks of letters mean, where there are any.
std::vector<std::string> mark_lines(const Interface& interface);

} // namespace tacit
