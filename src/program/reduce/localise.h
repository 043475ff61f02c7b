// State that does not outlive a call becomes local: a variable that every method and constructor
// writes before it reads it, such as a fact about an object on the stack. Exact: what such a
// variable holds between calls is never looked at.
#pragma once

#include "program/ir/module.h"

namespace tacit {

/// Methods and constructors only; other procedures must be gone.
void localise(Module& module);

} // namespace tacit
