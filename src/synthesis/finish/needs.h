// Which opaque callee must behave how for a refused call to err (docs/semantics.md, 2.4).
//
// A refusal comes with a word. When the call errs on every run along it whatever opaque callees do,
// there is nothing to say. Otherwise conditions on single choices of a callee are tried: that it
// throws, what it returns, and that it returns at all for arguments like these. A condition is
// reported if no run along the word errs without it, and the word can be followed, or the call end
// otherwise, without it too.
#pragma once

#include "base/budget.h"
#include "component/component.h"
#include "interface/interface.h"

namespace tacit {

/// Fills Refusal::needs. Refusals without a run are left alone; the budget may end the work early.
void explain_needs(Interface& interface, const Component& component, Budget& budget);

} // namespace tacit
