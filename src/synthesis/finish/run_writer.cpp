#include "synthesis/finish/run_writer.h"

#include "base/should.h"

namespace tacit {

Example RunWriter::write(const ConcreteRun& run) const {
  Example example;
  const Module& module = component_.module();
  std::size_t next = 0;
  for (const StateVariable& v : module.state)
    if (!v.initial) example.initial.push_back(to_string(run.initial.at(next++), v.type.sort));
  const Call& constructor = component_.constructors()[run.constructor];
  example.constructor = constructor.name;
  const Interpreter interpreter(module);
  if (const auto initial = interpreter.initial(run.initial))
    example.constructor_inputs = inputs(constructor, *initial, run.constructor_inputs);
  const auto results = replay(component_, run);
  for (std::size_t i = 0; i + 1 < results.size(); ++i) {
    const Call& call = component_.calls()[run.steps[i].call];
    const StepResult& result = results[i + 1];
    ExampleStep step{call.name, inputs(call, results[i].after, run.steps[i].inputs), "", {}};
    if (result.how != RunEnd::Erred) {
      step.outcome = call.outcomes[result.outcome];
      step.after = state(result.after);
    }
    example.steps.push_back(std::move(step));
  }
  return example;
}

std::map<std::string, std::string> RunWriter::state(const ConcreteState& state) const {
  std::map<std::string, std::string> values;
  const Module& module = component_.module();
  for (std::size_t i = 0; i < module.state.size(); ++i)
    values[module.state[i].name()] = to_string(state.values[i], module.state[i].type.sort);
  return values;
}

std::vector<std::string> RunWriter::inputs(const Call& call, const ConcreteState& before,
                                           const std::vector<Value>& values) const {
  const Interpreter interpreter(component_.module());
  const Procedure& body = component_.body(call);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto run = interpreter.run(body, before, std::span(values).first(i));
    should(run.how == RunEnd::NeedsInput, "a recorded input should be asked for");
    texts.push_back(to_string(values[i], run.needs->type.sort));
  }
  return texts;
}

} // namespace tacit
