#include "check/replay.h"

#include <algorithm>
#include <set>

#include "logic/term/parse.h"
#include "program/interpreter.h"
#include "program/scope.h"

namespace tacit {

namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Splits at a character outside all brackets.
std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{' || text[i] == '(' || text[i] == '[') ++depth;
    if (text[i] == '}' || text[i] == ')' || text[i] == ']') --depth;
    if (text[i] != at || depth != 0) continue;
    parts.push_back(trim(text.substr(start, i - start)));
    start = i + 1;
  }
  parts.push_back(trim(text.substr(start)));
  return parts;
}

/// `all(0)[1 := 5]`.
std::optional<Value> parse_stores(std::string_view text, Sort sort) {
  if (text.back() == ')') {
    const auto value = parse_value(text.substr(4, text.size() - 5), sort->value);
    if (!value) return std::nullopt;
    return const_map(*value);
  }
  if (text.back() != ']') return std::nullopt;
  std::size_t open = text.size() - 1;
  for (int depth = 0; open > 0; --open) {
    if (text[open] == ']') ++depth;
    if (text[open] == '[' && --depth == 0) break;
  }
  const std::string_view entry = text.substr(open + 1, text.size() - open - 2);
  const auto sides = split(entry, ':');
  if (open == 0 || sides.size() != 2 || !sides[1].starts_with('=')) return std::nullopt;
  const auto map = parse_value(text.substr(0, open), sort);
  const auto key = parse_value(sides[0], sort->key),
             value = parse_value(sides[1].substr(1), sort->value);
  if (!map || !key || !value) return std::nullopt;
  return store(*map, *key, *value);
}

/// `{otherwise: 0, 1: 5}`.
std::optional<Value> parse_map(std::string_view text, Sort sort) {
  if (text.starts_with("all(")) return parse_stores(text, sort);
  if (text.size() < 2 || text.front() != '{' || text.back() != '}') return std::nullopt;
  std::optional<Value> map;
  for (std::string_view entry : split(text.substr(1, text.size() - 2), ',')) {
    const auto sides = split(entry, ':');
    if (sides.size() != 2) return std::nullopt;
    const auto value = parse_value(sides[1], sort->value);
    if (!value) return std::nullopt;
    if (!map) {
      if (sides[0] != "otherwise") return std::nullopt;
      map = const_map(*value);
      continue;
    }
    const auto key = parse_value(sides[0], sort->key);
    if (!key) return std::nullopt;
    map = store(*map, *key, *value);
  }
  return map;
}

/// The addresses in a value.
void addresses(const Value& value, Sort sort, std::set<Integer>& found) {
  if (sort->kind == SortKind::Ref) found.insert(value.number);
  if (sort->kind != SortKind::Map || !value.map) return;
  addresses(value.map->otherwise, sort->value, found);
  for (const auto& [key, element] : value.map->entries) {
    if (sort->key->kind == SortKind::Ref) found.insert(key);
    addresses(element, sort->value, found);
  }
}

class Runs {
public:
  Runs(const Interface& interface, const Component& component, const Alignment& alignment,
       Findings& findings)
      : interface_(interface), component_(component), alignment_(alignment), findings_(findings),
        interpreter_(component.module()) {}

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

  /// Feeds texts to a body as it asks for them. nullopt after a complaint.
  std::optional<ProcedureRun> feed(const Call& call, const ConcreteState& before,
                                   const std::vector<std::string>& texts) {
    std::vector<Value> inputs;
    while (true) {
      ProcedureRun run = interpreter_.run(component_.body(call), before, inputs);
      if (run.how != RunEnd::NeedsInput) {
        if (inputs.size() < texts.size()) {
          complain(fmt::format("'{}' takes {} inputs, but {} are given", call.name, inputs.size(),
                               texts.size()));
          return std::nullopt;
        }
        return run;
      }
      if (inputs.size() == texts.size()) {
        complain(fmt::format("'{}' needs a further input for '{}'", call.name, run.needs->name()));
        return std::nullopt;
      }
      const auto value = parse_value(texts[inputs.size()], run.needs->type.sort);
      if (!value) {
        complain(fmt::format("'{}' is no value for '{}' of '{}'", texts[inputs.size()],
                             run.needs->name(), call.name));
        return std::nullopt;
      }
      inputs.push_back(*value);
    }
  }

  static std::string how_it_ended(const ProcedureRun& run) {
    switch (run.how) {
    case RunEnd::Erred:
      return fmt::format("it errs with '{}' at {}", run.end->name, to_string(run.end->where));
    case RunEnd::Blocked: return "there is no such run";
    case RunEnd::GaveUp: return run.reason;
    default: return "it ends";
    }
  }

  /// The outcome of a run that should return or throw; nullopt after a complaint.
  std::optional<std::size_t> outcome(const Call& call, const ProcedureRun& run) {
    const bool ended = run.how == RunEnd::Returned || run.how == RunEnd::Threw;
    if (ended && run.end->outcome >= 0) return static_cast<std::size_t>(run.end->outcome);
    complain(fmt::format("'{}' has no outcome in this run", call.name), how_it_ended(run));
    return std::nullopt;
  }

  /// Whether the variables that were written down have the values they should.
  bool agrees(const ConcreteState& state, const std::map<std::string, std::string>& written,
              std::string& difference) {
    const Module& module = component_.module();
    for (const auto& [name, text] : written) {
      const StateVariable* variable = module.find_state(name);
      if (variable == nullptr) {
        difference = fmt::format("there is no state variable '{}'", name);
        return false;
      }
      const Value& actual = state.values[static_cast<std::size_t>(variable - module.state.data())];
      const auto value = parse_value(text, variable->type.sort);
      if (!value || !equal(*value, actual, variable->type.sort)) {
        difference =
            fmt::format("{} is {}, not {}", name, to_string(actual, variable->type.sort), text);
        return false;
      }
    }
    return true;
  }

  std::optional<std::size_t> constructor_index(const std::string& name) const {
    const auto& known = component_.constructors();
    const auto found = std::ranges::find(known, name, &Call::name);
    if (found == known.end()) return std::nullopt;
    return static_cast<std::size_t>(found - known.begin());
  }

  void refusal_run(const Refusal& refusal) {
    const Example& run = *refusal.run;
    const auto constructor = constructor_index(run.constructor);
    if (!constructor) return complain(fmt::format("there is no constructor '{}'", run.constructor));
    std::vector<Value> initial;
    const auto open = interpreter_.uninitialised();
    if (open.size() != run.initial.size())
      return complain(fmt::format("{} initial values are given for {} variables",
                                  run.initial.size(), open.size()));
    for (std::size_t i = 0; i < open.size(); ++i) {
      const auto value = parse_value(run.initial[i], open[i]->type.sort);
      if (!value || !contains(open[i]->type, *value))
        return complain(
            fmt::format("'{}' is no initial value for '{}'", run.initial[i], open[i]->name()));
      initial.push_back(*value);
    }
    const auto start = interpreter_.initial(initial);
    if (!start) return complain("the initial state is not complete");

    const Call& built = component_.constructors()[*constructor];
    auto done = feed(built, *start, run.constructor_inputs);
    if (!done) return;
    if (!refusal.state) {
      if (interface_.constructors[refusal.call] != run.constructor)
        return complain(
            fmt::format("the run starts with another constructor, '{}'", run.constructor));
      if (!run.steps.empty()) return complain("the run goes on after the refused constructor");
      return erred(refusal, *done);
    }
    const auto ended = outcome(built, *done);
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
      auto result = feed(called, state, step.inputs);
      if (!result) return;
      if (i + 1 == run.steps.size()) {
        if (alignment_.written_call[*call] != refusal.call || at != *refusal.state)
          return complain(fmt::format("the run ends with '{}' in q{}", called.name, at));
        return erred(refusal, *result);
      }
      const auto happened = outcome(called, *result);
      if (!happened) return;
      if (!follows(called, *call, *happened, step, i < word.size() ? &word[i] : nullptr)) return;
      std::string difference;
      if (!agrees(result->after, step.after, difference))
        return complain(fmt::format("the state after step {} differs", i + 1), difference);
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
    if (step.call != called.name)
      return complain(fmt::format("the example is one of '{}'", step.call));
    const Module& module = component_.module();
    ConcreteState before;
    std::set<Integer> known{0};
    for (const StateVariable& variable : module.state) {
      const auto text = transition.before.find(variable.name());
      if (text == transition.before.end())
        return complain(fmt::format("the state before has no value for '{}'", variable.name()));
      const auto value = parse_value(text->second, variable.type.sort);
      if (!value || !contains(variable.type, *value))
        return complain(fmt::format("'{}' is no value for '{}'", text->second, variable.name()));
      addresses(*value, variable.type.sort, known);
      before.values.push_back(*value);
    }
    if (!in_label(before, transition.from))
      return complain(fmt::format("the state before is not in the label of q{}", transition.from));

    // The next fresh address is not recorded: it is above all there are, and may be one that the
    // state after shows.
    std::set<Integer> shown{*known.rbegin() + 1};
    for (const auto& [name, text] : step.after)
      if (const StateVariable* variable = module.find_state(name))
        if (const auto value = parse_value(text, variable->type.sort))
          addresses(*value, variable->type.sort, shown);
    std::string difference;
    for (Integer next : shown) {
      if (next <= *known.rbegin()) continue;
      before.next_reference = next;
      const auto run = feed(called, before, step.inputs);
      if (!run) return;
      const auto happened = outcome(called, *run);
      if (!happened) return;
      if (step.outcome != called.outcomes[*happened] ||
          alignment_.written[call][*happened] != transition.outcome)
        return complain(fmt::format("the example ends with '{}'", called.outcomes[*happened]),
                        step.outcome);
      if (!agrees(run->after, step.after, difference)) continue;
      if (!in_label(run->after, transition.to))
        complain(fmt::format("the state after is not in the label of q{}", transition.to));
      return;
    }
    complain("the state after differs", difference);
  }

  const Interface& interface_;
  const Component& component_;
  const Alignment& alignment_;
  Findings& findings_;
  const Interpreter interpreter_;
  std::string obligation_;
};

} // namespace

std::optional<Value> parse_value(std::string_view text, Sort sort) {
  text = trim(text);
  switch (sort->kind) {
  case SortKind::Bool:
    if (text == "true" || text == "false") return Value(text == "true" ? 1 : 0);
    return std::nullopt;
  case SortKind::Int:
    if (const auto number = parse_integer(text)) return Value(*number);
    return std::nullopt;
  case SortKind::Enum: {
    if (text.size() > 2 && text.front() == '`' && text.back() == '`')
      text = text.substr(1, text.size() - 2);
    const auto& values = sort->decl->values;
    const auto found = std::ranges::find(values, text, &Enumerator::name);
    if (found == values.end()) return std::nullopt;
    return Value(static_cast<Integer>(found - values.begin()));
  }
  case SortKind::Ref: {
    if (text == "null") return Value(0);
    if (text.starts_with("ref(") && text.ends_with(")")) text = text.substr(4, text.size() - 5);
    const auto number = parse_integer(text);
    if (!number || *number < 0) return std::nullopt;
    return Value(*number);
  }
  case SortKind::Map: return parse_map(text, sort);
  }
  return std::nullopt;
}

void check_runs(const Interface& interface, const Component& component, const Alignment& alignment,
                Findings& findings) {
  Runs runs(interface, component, alignment, findings);
  runs.refusals();
  runs.transitions();
}

} // namespace tacit
