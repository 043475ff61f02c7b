#include "check/replay.h"

#include <algorithm>
#include <map>

#include "check/written_run.h"
#include "program/ir/interpreter.h"

namespace tacit {

namespace {

class Runs {
public:
  Runs(const Interface& interface, const Component& component, const Alignment& alignment,
       const ClientConditions* conditions, Findings& findings)
      : interface_(interface), component_(component), alignment_(alignment),
        conditions_(conditions), findings_(findings), runs_(component) {}

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
    for (std::size_t t = 0; t < interface_.transitions.size(); ++t) {
      const InterfaceTransition& transition = interface_.transitions[t];
      if (findings_.stop()) return;
      if (!transition.example) continue;
      obligation_ = fmt::format("example of q{} --{}--> q{}", transition.from,
                                letter_name(interface_.calls[transition.call], transition.outcome),
                                transition.to);
      if (transition.example->steps.size() != 1)
        complain("an example should have one step");
      else
        example(t, transition.example->steps[0]);
    }
  }

  void disagreements() {
    for (const Disagreement& found : interface_.nondeterminism) {
      if (findings_.stop()) return;
      if (found.call >= interface_.calls.size() || found.state >= interface_.states.size()) {
        findings_.reject({}, "nondeterminism", "its state or call does not exist");
        continue;
      }
      obligation_ = fmt::format("nondeterminism of {} in q{}", interface_.calls[found.call].name,
                                found.state);
      disagreement(found);
    }
  }

private:
  /// Where a run is: state and tracked values of the interface, state of the component.
  struct Place {
    State at = no_state;
    std::vector<Value> tracked;
    ConcreteState state;
  };
  /// A run up to and with its last call.
  struct Followed {
    ProcedureRun last;
    std::vector<std::string> seen; // by the client, step by step
  };

  void complain(std::string message, std::string detail = "") {
    findings_.reject({}, obligation_, std::move(message), std::move(detail));
  }

  /// nullopt after a complaint.
  template <class T> std::optional<T> taken(RunResult<T> result) {
    if (result) return std::move(*result);
    complain(std::move(result.error().message), std::move(result.error().detail));
    return std::nullopt;
  }

  // Conditions on values

  Valuation valuation(const Call& call, const ConcreteState& before,
                      const std::vector<Value>& tracked, const std::vector<std::string>& inputs,
                      const Value& result) const {
    std::map<Term, Value, TermById> known = runs_.arguments(call, inputs);
    for (std::size_t i = 0; i < tracked.size(); ++i)
      known.emplace(conditions_->tracked()[i].variable, tracked[i]);
    if (const Term returned = ClientConditions::result_of(component_, call))
      known.emplace(returned, result);
    return [this, known = std::move(known), before](Term variable) {
      if (const auto found = known.find(variable); found != known.end()) return found->second;
      const auto index = component_.module().state_index(variable);
      return index ? before.values[*index] : default_value(variable->sort);
    };
  }

  static bool holds(Term condition, const Valuation& valuation) {
    const auto value = evaluate(condition, valuation);
    return value && value->truth();
  }

  /// The tracked values after a cell; nullopt after a complaint that they are not what their terms
  /// come to.
  std::optional<std::vector<Value>> updated(const ClientConditions::Cell& cell,
                                            const std::vector<Value>& tracked,
                                            const Valuation& valuation,
                                            const ConcreteState& after) {
    std::vector<Value> values;
    for (std::size_t i = 0; i < conditions_->tracked().size(); ++i) {
      const auto& [name, variable, term] = conditions_->tracked()[i];
      const ClientConditions::Update& set = cell.set[i];
      using Kind = ClientConditions::Update::Kind;
      const auto value = set.kind == Kind::Kept       ? Result<Value>(tracked[i])
                         : set.kind == Kind::Anything ? Result<Value>(fail("anything"))
                                                      : evaluate(set.term, valuation);
      const auto real =
          evaluate(term, [&](Term v) { return after.values[*component_.module().state_index(v)]; });
      if (!value || !real || !equal(*value, *real, term->sort)) {
        complain(fmt::format("tracked value '{}' is not what is said of it", name));
        return std::nullopt;
      }
      values.push_back(*value);
    }
    return values;
  }

  /// The one of some cells that applies; nullopt after a complaint.
  template <class Index, class CellOf>
  std::optional<std::size_t> cell_among(const std::vector<Index>& cells, const Valuation& valuation,
                                        bool returned, CellOf cell_of) {
    std::optional<std::size_t> found;
    for (std::size_t i : cells) {
      const Condition& when = cell_of(i).when;
      if ((when.mentions_result && !returned) || !holds(when.term, valuation)) continue;
      if (found) {
        complain("two cells apply at once");
        return std::nullopt;
      }
      found = i;
    }
    if (!found) complain("no cell applies");
    return found;
  }

  // Runs

  std::optional<Place> start(const Example& run, std::size_t constructor,
                             const ProcedureRun& done) {
    const Call& built = component_.constructors()[constructor];
    if (alignment_.start[constructor] == no_state) {
      complain(fmt::format("constructor '{}' is not allowed", built.name));
      return std::nullopt;
    }
    Place place{alignment_.start[constructor], {}, done.after};
    if (conditions_ == nullptr) return place;
    const auto values = valuation(built, done.after, {}, run.constructor_inputs, {});
    const auto cell =
        cell_among(alignment_.starts[constructor], values, false,
                   [&](std::size_t i) -> const auto& { return conditions_->start(i); });
    if (!cell) return std::nullopt;
    const auto tracked = updated(conditions_->start(*cell), {}, values, done.after);
    if (!tracked) return std::nullopt;
    place.at = interface_.initial[*cell].state;
    place.tracked = *tracked;
    return place;
  }

  bool admits(const Place& place, const Call& called, std::size_t call, const ExampleStep& step) {
    const Term guard = conditions_->guard(place.at, alignment_.written_call[call]);
    return holds(guard, valuation(called, place.state, place.tracked, step.inputs, {}));
  }

  /// Along the cell that applies.
  std::optional<Place> go_on(const Place& place, std::size_t call, std::size_t outcome,
                             const ExampleStep& step, ProcedureRun run) {
    const Call& called = component_.calls()[call];
    const std::size_t letter = component_.letter_of(call, outcome);
    std::optional<std::size_t> t;
    if (const auto first = alignment_.transition(place.at, letter); first != Alignment::none)
      t = first;
    if (!t) {
      complain(fmt::format("q{} has no transition for '{}'", place.at, called.name),
               called.outcomes[outcome]);
      return std::nullopt;
    }
    Place next{interface_.transitions[*t].to, {}, run.after};
    if (conditions_ == nullptr) return next;
    if (!admits(place, called, call, step)) {
      complain(
          fmt::format("the guard of '{}' in q{} does not admit a step", called.name, place.at));
      return std::nullopt;
    }
    const bool returned = run.how == RunEnd::Returned;
    const auto values =
        valuation(called, place.state, place.tracked, step.inputs, returned ? run.value : Value());
    t = cell_among(alignment_.cells(place.at, letter), values, returned,
                   [&](std::size_t i) -> const auto& { return conditions_->cell(i); });
    if (!t) return std::nullopt;
    const auto tracked = updated(conditions_->cell(*t), place.tracked, values, run.after);
    if (!tracked) return std::nullopt;
    next.at = interface_.transitions[*t].to;
    next.tracked = *tracked;
    return next;
  }

  /// The run of a word that ends with a call of the interface in a state; nullopt after a
  /// complaint.
  std::optional<Followed> follow(const Example& run, const std::vector<std::string>& written,
                                 State state, std::size_t last_call) {
    const auto constructor = runs_.constructor(run.constructor);
    if (!constructor) {
      complain(fmt::format("there is no constructor '{}'", run.constructor));
      return std::nullopt;
    }
    const Call& built = component_.constructors()[*constructor];
    auto done = taken(runs_.construct(run, *constructor));
    if (!done) return std::nullopt;
    const auto ended = taken(WrittenRuns::outcome(built, *done));
    if (!ended) return std::nullopt;
    if (built.outcomes[*ended].starts_with("throws")) {
      complain("the constructor throws in this run");
      return std::nullopt;
    }
    auto place = start(run, *constructor, *done);
    if (!place) return std::nullopt;
    std::optional<std::size_t> named;
    const auto word = without_constructor(interface_, written, named);
    if (!word.empty() && run.steps.size() != word.size()) {
      complain(fmt::format("the run has {} steps for a word of {} letters", run.steps.size(),
                           word.size()));
      return std::nullopt;
    }
    Followed followed;
    if (conditions_ != nullptr)
      followed.seen.push_back(seen(built, run.constructor_inputs, *done, built.outcomes[*ended]));
    for (std::size_t i = 0; i < run.steps.size(); ++i) {
      const ExampleStep& step = run.steps[i];
      const auto call = component_.find_call(step.call);
      if (!call) {
        complain(fmt::format("there is no call '{}'", step.call));
        return std::nullopt;
      }
      const Call& called = component_.calls()[*call];
      auto result = taken(runs_.feed(called, place->state, step.inputs));
      if (!result) return std::nullopt;
      if (i + 1 == run.steps.size()) {
        if (alignment_.written_call[*call] != last_call || place->at != state) {
          complain(fmt::format("the run ends with '{}' in q{}", called.name, place->at));
          return std::nullopt;
        }
        if (conditions_ != nullptr && admits(*place, called, *call, step) &&
            result->how == RunEnd::Erred) {
          complain("the guard admits the arguments with which the run errs");
          return std::nullopt;
        }
        if (conditions_ != nullptr)
          followed.seen.push_back(
              fmt::format("{}", fmt::join(arguments_of(called, step.inputs), ",")));
        followed.last = std::move(*result);
        return followed;
      }
      const auto happened = taken(WrittenRuns::outcome(called, *result));
      if (!happened ||
          !follows(called, *call, *happened, step, i < word.size() ? &word[i] : nullptr))
        return std::nullopt;
      if (const auto same = runs_.agrees(result->after, step.after); !same) {
        complain(fmt::format("the state after step {} differs", i + 1), same.error().message);
        return std::nullopt;
      }
      followed.seen.push_back(
          conditions_ != nullptr
              ? seen(called, step.inputs, *result, called.outcomes[*happened])
              : fmt::format("{}:{}", called.name, alignment_.written[*call][*happened]));
      place = go_on(*place, *call, *happened, step, std::move(*result));
      if (!place) return std::nullopt;
    }
    complain("the run has no steps");
    return std::nullopt;
  }

  std::vector<std::string> arguments_of(const Call& call,
                                        const std::vector<std::string>& inputs) const {
    const std::size_t count = std::min(runs_.arguments(call, inputs).size(), inputs.size());
    return {inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(count)};
  }

  /// What tells two runs of a step apart, for the client of concrete words.
  std::string seen(const Call& call, const std::vector<std::string>& inputs,
                   const ProcedureRun& run, const std::string& outcome) const {
    std::string text =
        fmt::format("{}:{}({})", call.name, outcome, fmt::join(arguments_of(call, inputs), ","));
    const Procedure& body = component_.body(call);
    if (!call.blind && run.how == RunEnd::Returned && body.returns)
      text += "=" + to_string(run.value, body.returns->sort);
    return text;
  }

  void refusal_run(const Refusal& refusal) {
    const Example& run = *refusal.run;
    if (refusal.state) {
      const auto followed = follow(run, refusal.word, *refusal.state, refusal.call);
      if (followed) erred(refusal, followed->last);
      return;
    }
    const auto constructor = runs_.constructor(run.constructor);
    if (!constructor) return complain(fmt::format("there is no constructor '{}'", run.constructor));
    const auto done = taken(runs_.construct(run, *constructor));
    if (!done) return;
    if (interface_.constructors[refusal.call] != run.constructor)
      return complain(
          fmt::format("the run starts with another constructor, '{}'", run.constructor));
    if (!run.steps.empty()) return complain("the run goes on after the refused constructor");
    erred(refusal, *done);
  }

  /// Two runs that look the same to the client, one of which errs.
  void disagreement(const Disagreement& found) {
    const auto errs = follow(found.errs, found.word, found.state, found.call);
    if (!errs) return;
    if (errs->last.how != RunEnd::Erred)
      return complain("the first run does not err", how_it_ended(errs->last));
    const auto works = follow(found.works, found.word, found.state, found.call);
    if (!works) return;
    if (works->last.how != RunEnd::Returned && works->last.how != RunEnd::Threw)
      return complain("the second run does not end well", how_it_ended(works->last));
    // Words of whole calls do not tell arguments and results.
    if (interface_.options.arguments == Arguments::Guarded && errs->seen != works->seen)
      complain("the client can tell the two runs apart");
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
    const auto written = parse_letter_of(interface_, *letter);
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
        (!refusal.at.empty() && !same_place(refusal.at, run.end->site())))
      complain(
          fmt::format("the run ends in another error than '{}' at {}", refusal.error, refusal.at),
          how_it_ended(run));
  }

  bool in_label(const ConcreteState& state, State q) {
    const std::string& text =
        interface_.evidence.safe.empty() ? interface_.states[q].label : interface_.evidence.safe[q];
    if (text.empty()) return true;
    std::string why_not;
    const auto label = read_label(interface_, component_, text, why_not);
    if (!label) return true; // reported where labels are checked
    const Module& module = component_.module();
    return holds(*label,
                 [&](Term variable) { return state.values[*module.state_index(variable)]; });
  }

  void example(std::size_t t, const ExampleStep& step) {
    const InterfaceTransition& transition = interface_.transitions[t];
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
      return complain(fmt::format("the state after is not in the label of q{}", transition.to));
    if (conditions_ == nullptr) return;
    Place place{transition.from, {}, taken->before};
    const Module& module = component_.module();
    for (const auto& value : conditions_->tracked()) {
      const auto known = evaluate(
          value.term, [&](Term v) { return taken->before.values[*module.state_index(v)]; });
      place.tracked.push_back(known ? *known : default_value(value.term->sort));
    }
    if (const auto next = go_on(place, call, taken->outcome, step, taken->run);
        next && next->at != transition.to)
      complain("the example belongs to another cell");
  }

  const Interface& interface_;
  const Component& component_;
  const Alignment& alignment_;
  const ClientConditions* conditions_; // with guarded arguments, else null
  Findings& findings_;
  const WrittenRuns runs_;
  std::string obligation_;
};

} // namespace

void check_runs(const Interface& interface, const Component& component, const Alignment& alignment,
                const ClientConditions* conditions, Findings& findings) {
  Runs runs(interface, component, alignment, conditions, findings);
  runs.refusals();
  runs.transitions();
  runs.disagreements();
}

} // namespace tacit
