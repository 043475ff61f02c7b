// The two algorithms (synthesis/maymust.h). Both leave what they found in the context, settled or
// open.
#pragma once

#include "synthesis/maymust_context.h"

namespace tacit {

void build_interface(MayMustContext& context);

/// False when words about outcomes came without end (see MayMustContext::outcomes_run_away).
bool learn_reuse(MayMustContext& context);

} // namespace tacit
