// One sentence about a result.
#pragma once

#include <string>

#include "interface/interface.h"

namespace tacit {

/// "Socket: 6 states, proved safe, permissive and full under 1 assumption."
std::string summary(const Interface& result);

/// The figures of a run in a line: predicates, iterations, queries, times.
std::string figures(const Interface& result);

} // namespace tacit
