#include "check/written_run.h"

#include <algorithm>
#include <set>

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

std::unexpected<RunComplaint> complaint(std::string message, std::string detail = "") {
  return std::unexpected(RunComplaint{std::move(message), std::move(detail)});
}

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

RunResult<ProcedureRun> WrittenRuns::feed(const Call& call, const ConcreteState& before,
                                          const std::vector<std::string>& texts) const {
  std::vector<Value> inputs;
  while (true) {
    ProcedureRun run = interpreter_.run(component_.body(call), before, inputs);
    if (run.how != RunEnd::NeedsInput) {
      if (inputs.size() < texts.size())
        return complaint(fmt::format("'{}' takes {} inputs, but {} are given", call.name,
                                     inputs.size(), texts.size()));
      return run;
    }
    if (inputs.size() == texts.size())
      return complaint(
          fmt::format("'{}' needs a further input for '{}'", call.name, run.needs->name()));
    const auto value = parse_value(texts[inputs.size()], run.needs->type.sort);
    if (!value)
      return complaint(fmt::format("'{}' is no value for '{}' of '{}'", texts[inputs.size()],
                                   run.needs->name(), call.name));
    inputs.push_back(*value);
  }
}

std::string how_it_ended(const ProcedureRun& run) {
  switch (run.how) {
  case RunEnd::Erred:
    return fmt::format("it errs with '{}' at {}", run.end->name, to_string(run.end->where));
  case RunEnd::Blocked: return "there is no such run";
  case RunEnd::GaveUp: return run.reason;
  default: return "it ends";
  }
}

RunResult<std::size_t> WrittenRuns::outcome(const Call& call, const ProcedureRun& run) {
  const bool ended = run.how == RunEnd::Returned || run.how == RunEnd::Threw;
  if (ended && run.end->outcome >= 0) return static_cast<std::size_t>(run.end->outcome);
  return complaint(fmt::format("'{}' has no outcome in this run", call.name), how_it_ended(run));
}

RunResult<void> WrittenRuns::agrees(const ConcreteState& state,
                                    const std::map<std::string, std::string>& written) const {
  const Module& module = component_.module();
  for (const auto& [name, text] : written) {
    const StateVariable* variable = module.find_state(name);
    if (variable == nullptr) return complaint(fmt::format("there is no state variable '{}'", name));
    const Value& actual = state.values[static_cast<std::size_t>(variable - module.state.data())];
    const auto value = parse_value(text, variable->type.sort);
    if (!value || !equal(*value, actual, variable->type.sort))
      return complaint(
          fmt::format("{} is {}, not {}", name, to_string(actual, variable->type.sort), text));
  }
  return {};
}

std::map<Term, Value, TermById>
WrittenRuns::arguments(const Call& call, const std::vector<std::string>& texts) const {
  const Procedure& body = component_.body(call);
  std::vector<Term> handed;
  for (const Variable& parameter : body.parameters) handed.push_back(parameter.term);
  for (const Statement& s : body.blocks[0].statements) {
    if (s.kind != StatementKind::Havoc || s.chooser != Chooser::Client) break;
    handed.push_back(s.target);
  }
  std::map<Term, Value, TermById> values;
  for (std::size_t i = 0; i < std::min(handed.size(), texts.size()); ++i)
    if (const auto value = parse_value(texts[i], handed[i]->sort))
      values.emplace(handed[i], *value);
  return values;
}

std::optional<std::size_t> WrittenRuns::constructor(const std::string& name) const {
  const auto& known = component_.constructors();
  const auto found = std::ranges::find(known, name, &Call::name);
  if (found == known.end()) return std::nullopt;
  return static_cast<std::size_t>(found - known.begin());
}

RunResult<ProcedureRun> WrittenRuns::construct(const Example& run, std::size_t constructor) const {
  std::vector<Value> initial;
  const auto open = interpreter_.uninitialised();
  if (open.size() != run.initial.size())
    return complaint(fmt::format("{} initial values are given for {} variables", run.initial.size(),
                                 open.size()));
  for (std::size_t i = 0; i < open.size(); ++i) {
    const auto value = parse_value(run.initial[i], open[i]->type.sort);
    if (!value || !contains(open[i]->type, *value))
      return complaint(
          fmt::format("'{}' is no initial value for '{}'", run.initial[i], open[i]->name()));
    initial.push_back(*value);
  }
  const auto start = interpreter_.initial(initial);
  if (!start) return complaint("the initial state is not complete");
  return feed(component_.constructors()[constructor], *start, run.constructor_inputs);
}

RunResult<WrittenRuns::Step> WrittenRuns::step(const Call& call,
                                               const std::map<std::string, std::string>& written,
                                               const ExampleStep& step) const {
  if (step.call != call.name)
    return complaint(fmt::format("the example is one of '{}'", step.call));
  const Module& module = component_.module();
  Step made;
  std::set<Integer> known{0};
  for (const StateVariable& variable : module.state) {
    const auto text = written.find(variable.name());
    if (text == written.end())
      return complaint(fmt::format("the state before has no value for '{}'", variable.name()));
    const auto value = parse_value(text->second, variable.type.sort);
    if (!value || !contains(variable.type, *value))
      return complaint(fmt::format("'{}' is no value for '{}'", text->second, variable.name()));
    addresses(*value, variable.type.sort, known);
    made.before.values.push_back(*value);
  }
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
    made.before.next_reference = next;
    auto run = feed(call, made.before, step.inputs);
    if (!run) return std::unexpected(run.error());
    const auto happened = outcome(call, *run);
    if (!happened) return std::unexpected(happened.error());
    if (step.outcome != call.outcomes[*happened])
      return complaint(fmt::format("the example ends with '{}'", call.outcomes[*happened]),
                       step.outcome);
    made.run = std::move(*run);
    made.outcome = *happened;
    const auto same = agrees(made.run.after, step.after);
    if (same) return made;
    difference = same.error().message;
  }
  return complaint("the state after differs", difference);
}

} // namespace tacit
