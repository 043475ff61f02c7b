// C and C++ sources on the command line.
#pragma once

#include "cli/arguments.h"
#include "program/ir/module.h"

namespace tacit {

Result<Module> load_c_family(const CommandLine& line);

} // namespace tacit
