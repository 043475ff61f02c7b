// The arguments of a run as somebody would write them: `start("")`, `put(key, null)`.
#pragma once

#include <string>
#include <vector>

#include "program/ir/module.h"

namespace tacit {

/// "(…)" for what a body was handed first, or "" where it has no parameters or not all are there. A
/// reference to something goes by the parameter's name, or by what it says where that is known.
std::string shown_arguments(const Module& module, const std::vector<Variable>& parameters,
                            const std::vector<std::string>& inputs);

} // namespace tacit
