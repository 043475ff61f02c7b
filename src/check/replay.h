// Runs the concrete examples of a result in the interpreter: every refusal's run must follow its
// word and end in the named error, every transition's example must do what it says.
#pragma once

#include "check/report.h"
#include "check/structure.h"
#include "check/written_run.h"

namespace tacit {

void check_runs(const Interface& interface, const Component& component, const Alignment& alignment,
                Findings& findings);

} // namespace tacit
