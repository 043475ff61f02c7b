// Sources in, results out.
#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "base/diagnostic.h"
#include "cli/arguments.h"
#include "export/excerpt.h"
#include "interface/interface.h"
#include "pipeline/sources.h"

namespace tacit {

/// The SOURCE arguments.
Result<Sources> open_sources(const CommandLine& line);

/// What of them --class, --handle, --methods and --constructor name.
Result<Module> lower_subject(const CommandLine& line, Sources& sources);

/// Both of the above.
Result<Module> load_module(const CommandLine& line);

/// A fingerprint of the SOURCE arguments; empty when one of them is no file.
std::string hash_sources(const std::vector<std::string>& sources);

/// A result file, or a graph that `tacit show --as dot` or a learner wrote (.dot). See
/// read_interface for `inconsistencies`.
Result<Interface> load_result(const std::string& path,
                              std::vector<std::string>* inconsistencies = nullptr);

/// A source file that a result mentions, looked for where it was and beside the sources that the
/// result names. Only regular files of moderate size with the extension of a source are read: what
/// is shown of them may be published.
std::optional<FoundSource> find_source(const Interface& interface, const std::string& file);

/// Whether the files that the command is to write can be written; before the work.
Result<void> check_outputs(const CommandLine& line);

/// Writes to --output, or standard output without it.
Result<void> write_output(const CommandLine& line, const std::function<void(std::ostream&)>& write);

} // namespace tacit
