// From a valuation of a body's formula to the inputs of a run.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "abstraction/formula/body_formula.h"
#include "program/ir/interpreter.h"

namespace tacit {

/// Formulas say nothing of the elements of a map that are not looked at; what a model puts there
/// may lie outside of their type, and is brought inside.
Value within(const Type& type, const Value& value);

/// Which address the interpreter takes where a model took another one for a new object.
class Addresses {
public:
  void took(Integer model, Integer actual) { actual_[model] = actual; }
  Value renamed(const Value& value, Sort sort) const;

private:
  std::map<Integer, Integer> actual_;
};

/// Walks the body from `before`: inputs come in the order in which a run meets them, with the
/// values that `value_of` gives. Cut loops are walked as they run. No value when a loop goes on for
/// longer than the formula follows it, or for very long, or a value is not known. Addresses are the
/// interpreter's to choose, and `addresses` learns them; still the run may take another way:
/// whoever uses it replays it.
std::optional<std::vector<Value>>
concrete_inputs(const Module& module, const Procedure& procedure, const BodyFormula& body,
                const ConcreteState& before, Addresses& addresses,
                const std::function<Result<Value>(Term input)>& value_of);

} // namespace tacit
