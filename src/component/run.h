// Concrete runs of a component: a constructor and a sequence of calls with all inputs, replayable
// in the interpreter.
#pragma once

#include <string>
#include <vector>

#include "component/component.h"
#include "program/ir/interpreter.h"

namespace tacit {

/// One call (or the constructor) with its inputs: arguments first, then choices in the order they
/// are met.
struct RunStep {
  std::size_t call = 0;
  std::vector<Value> inputs;
};

/// From nothing to after the last step.
struct ConcreteRun {
  std::vector<Value> initial; // values of the state variables that have no initial value
  std::size_t constructor = 0;
  std::vector<Value> constructor_inputs;
  std::vector<RunStep> steps;
};

/// What one step did.
struct StepResult {
  RunEnd how = RunEnd::GaveUp;
  std::size_t outcome = 0; // when it returned or threw
  std::string error;       // when it erred
  Location where;          // of the terminator
  ConcreteState after;
  std::string reason; // GaveUp
};

StepResult run_constructor(const Component& component, const ConcreteRun& run);
StepResult run_step(const Component& component, const ConcreteState& before, const RunStep& step);

/// The whole run: the constructor's result first, then one per step; stops after the first that
/// does not return or throw.
std::vector<StepResult> replay(const Component& component, const ConcreteRun& run);

} // namespace tacit
