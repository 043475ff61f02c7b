// The two algorithms (synthesis/predicate/maymust.h). Both leave what they found in the context,
// settled or open.
#pragma once

#include "synthesis/predicate/maymust_context.h"

namespace tacit {

void build_interface(MayMustContext& context);

/// False when it came to nothing because it cares for outcomes: when words about them came without
/// end (MayMustContext::outcomes_run_away), or some were not settled.
bool learn_reuse(MayMustContext& context);

} // namespace tacit
