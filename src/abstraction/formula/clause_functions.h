// Requires clauses and invariants that are written as functions, as in the C programs of the paper
// on enabledness abstractions: `int add_req(int data)` says when `add` may be called, and
// `int inv(void)` what holds between calls.
#pragma once

#include "component/component.h"

namespace tacit {

/// The module with such functions turned into clauses; they are no longer methods. A function is
/// taken for a clause when it is a method named `X_req` beside a method `X`, or `inv`. Fails, with
/// the function, when one changes the state, loops, or depends on more than state and arguments.
Result<Module> with_clause_functions(const Module& module, const ComponentOptions& options);

} // namespace tacit
