// Rejects ill-formed programs: the invariants listed in module.h. Front ends and passes run it in
// tests; the reader always does.
#pragma once

#include <vector>

#include "program/ir/module.h"

namespace tacit {

/// Every violation found, in order; empty means well formed.
std::vector<Diagnostic> verify(const Module& module);

} // namespace tacit
