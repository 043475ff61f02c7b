// Contracts of opaque callees made executable: an extern given by clauses gets a body in which the
// environment chooses whether it fails and how, what it writes and what it returns, within
// `ensures`.
#pragma once

#include "program/ir/module.h"

namespace tacit {

void expand_externs(Module& module);

} // namespace tacit
