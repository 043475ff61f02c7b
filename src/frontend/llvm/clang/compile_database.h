// How a project compiles a file: its compile_commands.json.
//
// As clangd does, the database is looked for in the folder of the file and the ones above, in each
// also in `build*` and `cmake-build*`. A database of a build folder is taken only if it is about
// the file: it lists it, or, for a header, a source that lies beside it or bears its name. What the
// database says is relative to the folder that it names; nothing changes the folder of this
// process.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace tacit {

/// How a file is compiled.
struct CompileCommand {
  std::string directory; // in which the compiler runs; empty where there is no command
  std::vector<std::string> flags;
  std::string database; // the file that says so, or that was read and says nothing; may be empty
};

/// With a folder (`-p`), the database has to be there; else it is looked for.
Result<CompileCommand> database_command(const std::string& source, const std::string& folder = "");

/// Flags that were given in the folder of this process, for a compiler that runs in another.
std::vector<std::string> flags_seen_from(const std::string& directory,
                                         const std::vector<std::string>& flags);

/// The name of a file for a compiler that runs in another folder; as it is written where that makes
/// no difference, since messages and results show it.
std::string seen_from(const std::string& directory, const std::string& file);

/// Where the flags of a file came from, for somebody whose header was not found.
std::string describe(const CompileCommand& command, const std::string& source);

} // namespace tacit
