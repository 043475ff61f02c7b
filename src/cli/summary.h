// What to say of a result that went to a file.
#pragma once

#include <string>

#include "interface/interface.h"

namespace tacit {

/// "Socket: 6 states, proved safe, permissive and full under 1 assumption:" and the assumptions
/// below, the first few of them. No newline at the end.
std::string summary(const Interface& result);

/// The figures of a run in a line: predicates, iterations, queries, times.
std::string figures(const Interface& result);

} // namespace tacit
