// Evidence for a guarded interface of a finite component, by enumeration: as labels exactly the
// states that allowed words reach, and must-nodes by weakest preconditions where labels do not show
// a refusal. It is the best that there is for an interface of this shape, so a checker that does
// not accept a right one lacks something.
#pragma once

#include "interface/interface.h"

namespace tacit {

/// Writes labels, must-nodes and the entries of `forbidden` that go with them; leaves out words and
/// runs. Nothing happens to an interface that is too large to explore.
void give_evidence(Interface& interface, const Component& component);

} // namespace tacit
