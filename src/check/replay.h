// Runs the concrete examples of a result in the interpreter: every refusal's run must follow its
// word and end in the named error, every transition's example must do what it says, and two runs
// that are said to show nondeterminism must look the same to the client. With guarded arguments the
// guards, cells and updates are evaluated along the way.
#pragma once

#include "check/client_conditions.h"
#include "check/report.h"
#include "check/structure.h"

namespace tacit {

/// `conditions` is null unless arguments are guarded.
void check_runs(const Interface& interface, const Component& component, const Alignment& alignment,
                const ClientConditions* conditions, Findings& findings);

} // namespace tacit
