// Prints a module as `.tir`. Reading it back gives the same module: read(print(m)) prints alike,
// and blocks, statements, types and locations agree. Conditionals and loops are printed structured
// where the graph allows it, with labels and gotos elsewhere.
#pragma once

#include <string>

#include "program/ir/module.h"

namespace tacit {

std::string print_module(const Module& module);
std::string print_procedure(const Module& module, const Procedure& procedure);

} // namespace tacit
