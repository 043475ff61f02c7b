// From a valuation of a body's formula to the inputs of a run.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "abstraction/body_formula.h"
#include "program/interpreter.h"

namespace tacit {

/// Walks the body from `before`: inputs come in the order in which a run meets them, with the
/// values that `value_of` gives. Cut loops are walked as they run. No value when a loop goes on for
/// longer than the formula follows it, or for very long, or a value is not known. Addresses are the
/// interpreter's to choose, so the run may take another way: whoever uses it replays it.
std::optional<std::vector<Value>>
concrete_inputs(const Module& module, const Procedure& procedure, const BodyFormula& body,
                const ConcreteState& before,
                const std::function<Result<Value>(Term input)>& value_of);

} // namespace tacit
