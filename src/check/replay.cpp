#include "check/replay.h"

#include <algorithm>
#include <set>

#include "logic/term/parse.h"
#include "program/ir/interpreter.h"
#include "program/ir/scope.h"

namespace tacit {

namespace {

class Runs {
public:
  Runs(const Interface& interface, const Component& component, const Alignment& alignment,
       Findings& findings)
      : interface_(interface), component_(component), alignment_(alignment), findings_(findings),
        runs_(component) {}

  void refusals() {
    for (const Refusal& refusal : interface_.forbidden) {
      if (findings_.stop()) return;
      if (!refusal.run) continue;
      const std::string& name = interface_.refused_name(refusal);
      obligation_ = refusal.state ? fmt::format("run of {} in q{}", name, *refusal.state)
                                  : fmt::format("run of {}", name);
      refusal_run(refusal);
    }
  }

  void transitions() {
    for (const InterfaceTransition& transition : interface_.transitions) {
      if (findings_.stop()) return;
      if (!transition.example) continue;
      obligation_ = fmt::format("example of q{} --{}--> q{}", transition.from,
                                letter_name(interface_.calls[transition.call], transition.outcome),
                                transition.to);
      if (transition.example->steps.size() != 1)
        complain("an example should have one step");
      else
        example(transition, transition.example->steps[0]);
    }
  }

private:
  void complain(std::string message, std::string detail = "") {
    findings_.reject({}, obligation_, std::move(message), std::move(detail));
  }

  /// nullopt after a complaint.
  template <class T> std::optional<T> taken(RunResult<T> result) {
    if (result) return std::move(*result);
    complain(std::move(result.error().message), std::move(result.error().detail));
    return std::nullopt;
  }

  void refusal_run(const Refusal& refusal) {
    const Example& run = *refusal.run;
    const auto constructor = runs_.constructor(run.constructor);
    if (!constructor) return complain(fmt::format("there is no constructor '{}'", run.constructor));
    const Call& built = component_.constructors()[*constructor];
    auto done = taken(runs_.construct(run, *constructor));
    if (!done) return;
    if (!refusal.state) {
      if (interface_.constructors[refusal.call] != run.constructor)
        return complain(
            fmt::format("the run starts with another constructor, '{}'", run.constructor));
      if (!run.steps.empty()) return complain("the run goes on after the refused constructor");
      return erred(refusal, *done);
    }
    const auto ended = taken(WrittenRuns::outcome(built, *done));
    if (!ended) return;
    if (built.outcomes[*ended].starts_with("throws"))
      return complain("the constructor throws in this run");

    State at = alignment_.start[*constructor];
    if (at == no_state) return complain(fmt::format("constructor '{}' is not allowed", built.name));
    std::optional<std::size_t> named;
    const auto word = without_constructor(interface_, refusal.word, named);
    if (!word.empty() && run.steps.size() != word.size())
      return complain(fmt::format("the run has {} steps for a word of {} letters", run.steps.size(),
                                  word.size()));
    ConcreteState state = done->after;
    for (std::size_t i = 0; i < run.steps.size(); ++i) {
      const ExampleStep& step = run.steps[i];
      const auto call = component_.find_call(step.call);
      if (!call) return complain(fmt::format("there is no call '{}'", step.call));
      const Call& called = component_.calls()[*call];
      auto result = taken(runs_.feed(called, state, step.inputs));
      if (!result) return;
      if (i + 1 == run.steps.size()) {
        if (alignment_.written_call[*call] != refusal.call || at != *refusal.state)
          return complain(fmt::format("the run ends with '{}' in q{}", called.name, at));
        return erred(refusal, *result);
      }
      const auto happened = taken(WrittenRuns::outcome(called, *result));
      if (!happened) return;
      if (!follows(called, *call, *happened, step, i < word.size() ? &word[i] : nullptr)) return;
      if (const auto same = runs_.agrees(result->after, step.after); !same)
        return complain(fmt::format("the state after step {} differs", i + 1),
                        same.error().message);
      const std::uint32_t t = alignment_.transition(at, component_.letter_of(*call, *happened));
      if (t == Alignment::none)
        return complain(fmt::format("q{} has no transition for step {}", at, i + 1),
                        called.outcomes[*happened]);
      at = interface_.transitions[t].to;
      state = std::move(result->after);
    }
    complain("the run has no steps");
  }

  /// A step's outcome is the recorded one and fits the letter of the word.
  bool follows(const Call& called, std::size_t call, std::size_t happened, const ExampleStep& step,
               const std::string* letter) {
    if (!step.outcome.empty() && step.outcome != called.outcomes[happened]) {
      complain(fmt::format("'{}' ends with '{}', not '{}'", called.name, called.outcomes[happened],
                           step.outcome));
      return false;
    }
    if (letter == nullptr) return true;
    const auto written = parse_letter(interface_, *letter);
    const bool fits =
        written && alignment_.call[written->call] == call &&
        (!written->outcome || alignment_.written[call][happened] == *written->outcome);
    if (!fits)
      complain(fmt::format("step '{}:{}' does not follow the word", called.name,
                           called.outcomes[happened]),
               *letter);
    return fits;
  }

  void erred(const Refusal& refusal, const ProcedureRun& run) {
    if (run.how != RunEnd::Erred) return complain("the last step does not err", how_it_ended(run));
    if (run.end->name != refusal.error ||
        (!refusal.at.empty() && !same_place(refusal.at, run.end->where)))
      complain(
          fmt::format("the run ends in another error than '{}' at {}", refusal.error, refusal.at),
          how_it_ended(run));
  }

  bool in_label(const ConcreteState& state, State q) {
    const std::string& text =
        interface_.evidence.safe.empty() ? interface_.states[q].label : interface_.evidence.safe[q];
    if (text.empty()) return true;
    const Module& module = component_.module();
    const auto label = parse_expression(text, "label", *module.arena, ModuleScope(module),
                                        module.arena->bool_sort());
    if (!label) return true; // reported where labels are checked
    const auto value = evaluate(
        *label, [&](Term variable) { return state.values[*module.state_index(variable)]; });
    return value && value->truth();
  }

  void example(const InterfaceTransition& transition, const ExampleStep& step) {
    const std::size_t call = alignment_.call[transition.call];
    const Call& called = component_.calls()[call];
    const auto taken = this->taken(runs_.step(called, transition.before, step));
    if (!taken) return;
    if (!in_label(taken->before, transition.from))
      return complain(fmt::format("the state before is not in the label of q{}", transition.from));
    if (alignment_.written[call][taken->outcome] != transition.outcome)
      return complain(fmt::format("the example ends with '{}'", called.outcomes[taken->outcome]),
                      step.outcome);
    if (!in_label(taken->run.after, transition.to))
      complain(fmt::format("the state after is not in the label of q{}", transition.to));
  }

  const Interface& interface_;
  const Component& component_;
  const Alignment& alignment_;
  Findings& findings_;
  const WrittenRuns runs_;
  std::string obligation_;
};

} // namespace

void check_runs(const Interface& interface, const Component& component, const Alignment& alignment,
                Findings& findings) {
  Runs runs(interface, component, alignment, findings);
  runs.refusals();
  runs.transitions();
}

} // namespace tacit
