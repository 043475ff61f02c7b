// Other programs that Tacit starts: git for what changed, Slurm for work on many machines.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"

namespace tacit {

/// What a program prints. Fails when it cannot be started or does not end well.
Result<std::string> output_of(const std::vector<std::string>& command);

/// The version, and what tells this build from others.
std::string program_version();

/// Writes FOLDER/slurm/job.sh, submits it as a job array and waits until Slurm knows it no more.
/// Elements take their share of the plan in the folder; whether all of it was done is told by the
/// records there and by nothing else.
Result<void> run_on_slurm(const CommandLine& line, const std::string& folder, std::size_t tasks,
                          double seconds_each);

} // namespace tacit
