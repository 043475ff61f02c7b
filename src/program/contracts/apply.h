// Contract files for a program that is given as `.tir`.
#pragma once

#include "program/contracts/contracts.h"

namespace tacit {

/// Gives externs and internal procedures that the file names the bodies or clauses of their
/// contracts; a contract outranks code. Calls of the component stay as they are, and names that the
/// module lacks are passed over. The number of contracts used.
Result<std::size_t> add_contracts(Module& module, std::string_view text, const std::string& file);

} // namespace tacit
