// Functions of a client whose address is handed out may run in every callee that is not given. That
// one of them runs while another one does is left out: it would make every such client recursive.
#pragma once

#include "program/ir/module.h"

namespace tacit {

/// Runs of handed out functions get copies of what they run, in which callees run none of them.
/// Adds the assumption to the module.
void leave_out_reentry(Module& module);

} // namespace tacit
