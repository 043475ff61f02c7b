// Reads the text form `.tir` (docs/formats.md). Errors carry file, line, column and what was
// expected. What is read has passed verify.h.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "program/ir/module.h"

namespace tacit {

/// `file` names the text in messages and is the location of sites that carry no mark of their own.
Result<Module> read_module(std::string_view text, const std::string& file,
                           std::shared_ptr<TermArena> arena = nullptr);

/// Reads the whole of a file; a message when it cannot be read.
Result<std::string> read_file(const std::string& path);

/// Names in expressions that a user writes about a module: state variables, enumerators, and the
/// locals of one procedure when given.
class ModuleScope;

} // namespace tacit
