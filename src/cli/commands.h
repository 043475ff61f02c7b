// The subcommands. Each returns an exit status; a Diagnostic is bad usage or bad input (status 2).
#pragma once

#include "cli/arguments.h"

namespace tacit {

namespace exit_status {
inline constexpr int done = 0, finding = 1, bad_input = 2, unsettled = 3, internal_error = 4;
}

Result<int> run_inspect(const CommandLine& line);
Result<int> run_lower(const CommandLine& line);
Result<int> run_synth(const CommandLine& line);
Result<int> run_epa(const CommandLine& line);
Result<int> run_check(const CommandLine& line);
Result<int> run_tests(const CommandLine& line);
Result<int> run_show(const CommandLine& line);
Result<int> run_verify(const CommandLine& line);
/// `tacit verify --prove`.
Result<int> run_prove(const CommandLine& line);
Result<int> run_replay(const CommandLine& line);
Result<int> run_diff(const CommandLine& line);
Result<int> run_scan_command(const CommandLine& line);
Result<int> run_bench(const CommandLine& line);
Result<int> run_completion(const CommandLine& line);
Result<int> run_man(const CommandLine& line);

} // namespace tacit
