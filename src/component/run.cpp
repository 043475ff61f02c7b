#include "component/run.h"

namespace tacit {
namespace {

StepResult result_of(ProcedureRun run) {
  StepResult r;
  r.how = run.how;
  r.after = std::move(run.after);
  r.reason = std::move(run.reason);
  if (run.end) {
    r.where = run.end->site();
    if (run.how == RunEnd::Erred)
      r.error = run.end->name;
    else if (run.end->outcome >= 0)
      r.outcome = static_cast<std::size_t>(run.end->outcome);
  }
  return r;
}

} // namespace

StepResult run_constructor(const Component& component, const ConcreteRun& run) {
  const Interpreter interpreter(component.module());
  auto initial = interpreter.initial(run.initial);
  if (!initial)
    return {.how = RunEnd::NeedsInput, .reason = "a state variable has no initial value"};
  const Call& call = component.constructors().at(run.constructor);
  return result_of(interpreter.run(component.body(call), *initial, run.constructor_inputs));
}

StepResult run_step(const Component& component, const ConcreteState& before, const RunStep& step) {
  const Interpreter interpreter(component.module());
  const Call& call = component.calls().at(step.call);
  return result_of(interpreter.run(component.body(call), before, step.inputs));
}

std::vector<StepResult> replay(const Component& component, const ConcreteRun& run) {
  std::vector<StepResult> results{run_constructor(component, run)};
  for (const RunStep& step : run.steps) {
    const RunEnd how = results.back().how;
    if (how != RunEnd::Returned && how != RunEnd::Threw) break;
    results.push_back(run_step(component, results.back().after, step));
  }
  return results;
}

} // namespace tacit
