// What to say of a result.
#pragma once

#include <string>

#include "cli/arguments.h"
#include "interface/interface.h"

namespace tacit {

/// Of one that went to a file:
/// "Socket: 6 states, proved safe, permissive and full under 1 assumption.", which errors counted
/// and what else was looked at, and the first few assumptions. No newline at the end.
std::string summary(const Interface& result);

/// Writes the result to --output and a summary to standard output, or shows it there in full.
Result<void> report_result(const CommandLine& line, const Interface& result);

/// The figures of a run in a line: predicates, iterations, queries, times.
std::string figures(const CommandLine& line, const Interface& result);

} // namespace tacit
