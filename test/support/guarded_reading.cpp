#include "support/guarded_reading.h"

#include <algorithm>

#include <fmt/format.h>

#include "logic/term/parse.h"
#include "program/ir/scope.h"

namespace tacit {

std::vector<Variable> argument_variables(const Component& component, const Call& call) {
  const Procedure& body = component.body(call);
  std::vector<Variable> found = body.parameters;
  for (const Statement& s : body.blocks[0].statements)
    if (s.kind == StatementKind::Havoc && s.chooser == Chooser::Client) {
      if (const Variable* local = body.find_local(s.target->name))
        found.push_back(*local);
      else
        found.push_back(component.module().state[*component.module().state_index(s.target)]);
    }
  return found;
}

namespace {

/// Only the names that are handed to it, and enumerators.
class NamesScope : public Scope {
public:
  explicit NamesScope(const Module& module) : module_(module) {}

  /// Whether the name was free.
  bool add(const std::string& name, Term term) { return names_.emplace(name, term).second; }

  Term lookup(std::string_view name) const override {
    const auto found = names_.find(std::string(name));
    return found == names_.end() ? nullptr : found->second;
  }
  Term enumerator(std::string_view name, Sort wanted) const override {
    return ModuleScope(module_).enumerator(name, wanted);
  }

private:
  const Module& module_;
  std::map<std::string, Term> names_;
};

/// `int`, `bool`, `ref`, an enumeration, `set<T>`, `map<K,V>`; null for anything else.
Sort sort_of(const Module& module, const std::string& type) {
  TermArena& arena = *module.arena;
  if (type == "int") return arena.int_sort();
  if (type == "bool") return arena.bool_sort();
  if (type == "ref") return arena.ref_sort();
  for (const Sort sort : module.enums)
    if (sort->decl->name == type) return sort;
  if (type.starts_with("set<") && type.ends_with(">")) {
    const Sort key = sort_of(module, type.substr(4, type.size() - 5));
    return key ? arena.map_sort(key, arena.bool_sort()) : nullptr;
  }
  if (type.starts_with("map<") && type.ends_with(">")) {
    const auto comma = type.find(',');
    if (comma == std::string::npos) return nullptr;
    const Sort key = sort_of(module, type.substr(4, comma - 4));
    const Sort value = sort_of(module, type.substr(comma + 1, type.size() - comma - 2));
    return key && value ? arena.map_sort(key, value) : nullptr;
  }
  return nullptr;
}

} // namespace

Result<GuardedReading> GuardedReading::read(const Interface& interface,
                                            const Component& component) {
  GuardedReading reading(interface, component);
  if (auto done = reading.read_all(); !done) return std::unexpected(done.error());
  return reading;
}

Result<void> GuardedReading::read_all() {
  for (const Call& call : component_->calls()) {
    const auto at = interface_->find_call(call.name);
    if (!at) return fail("the interface has no call '{}'", call.name);
    written_.push_back(*at);
  }
  for (const InterfaceCall& call : interface_->calls)
    if (!component_->find_call(call.name)) return fail("there is no call '{}'", call.name);
  if (auto done = read_tracked(); !done) return done;
  if (auto done = read_guards(); !done) return done;
  if (auto done = read_transitions(); !done) return done;
  return read_starts();
}

Result<void> GuardedReading::read_tracked() {
  TermArena& arena = component_->arena();
  for (const TrackedValue& t : interface_->tracked) {
    const Sort sort = sort_of(component_->module(), t.type);
    if (!sort) return fail("tracked value '{}': type '{}' is not known", t.name, t.type);
    const auto term =
        parse_expression(t.term, t.name, arena, ModuleScope(component_->module()), sort);
    if (!term) return std::unexpected(term.error());
    tracked_.push_back({arena.var(t.name, sort), sort, *term});
  }
  return {};
}

const Call& GuardedReading::component_call(std::size_t written) const {
  return component_->calls()[*component_->find_call(interface_->calls[written].name)];
}

Result<Term> GuardedReading::condition(const std::string& text, const Call& call, bool result) {
  TermArena& arena = component_->arena();
  if (text.empty()) return arena.truth();
  auto set = read_updates({{"", text}}, call, result);
  if (!set) return std::unexpected(set.error());
  return set->front().value;
}

/// Also reads a condition, as what becomes of a value without a name.
Result<std::vector<GuardedReading::Update>>
GuardedReading::read_updates(const TrackedUpdate& set, const Call& call, bool result) {
  TermArena& arena = component_->arena();
  NamesScope scope(component_->module());
  const Procedure& body = component_->body(call);
  bool clear = true;
  for (const Variable& v : argument_variables(*component_, call))
    clear = scope.add(v.name(), v.term) && clear;
  if (result && body.returns && !call.blind)
    clear = scope.add("result", arena.var("result", body.returns->sort)) && clear;
  const bool constructor = body.kind == ProcedureKind::Constructor;
  for (std::size_t i = 0; i < tracked_.size() && !constructor; ++i)
    clear = scope.add(interface_->tracked[i].name, tracked_[i].variable) && clear;
  if (!clear) return fail("a name means two things to '{}'", call.name);
  std::vector<Update> updates;
  for (const auto& [name, text] : set) {
    const auto at = std::ranges::find(interface_->tracked, name, &TrackedValue::name);
    if (!name.empty() && at == interface_->tracked.end())
      return fail("there is no tracked value '{}'", name);
    const auto index = static_cast<std::size_t>(at - interface_->tracked.begin());
    const Sort wanted = name.empty() ? arena.bool_sort() : tracked_[index].sort;
    const auto term = parse_expression(text, call.name, arena, scope, wanted);
    if (!term) return fail("{}: '{}': {}", call.name, text, term.error().message);
    updates.push_back({index, *term});
  }
  return updates;
}

Result<void> GuardedReading::read_guards() {
  for (const ArgumentGuard& g : interface_->guards) {
    if (g.state >= interface_->states.size() || g.call >= interface_->calls.size())
      return fail("a guard is of nothing");
    const auto term = condition(g.condition, component_call(g.call), false);
    if (!term) return std::unexpected(term.error());
    if (!guards_.emplace(std::pair(g.state, g.call), *term).second)
      return fail("two guards of '{}' in q{}", interface_->calls[g.call].name, g.state);
  }
  return {};
}

Result<void> GuardedReading::read_transitions() {
  for (const InterfaceTransition& t : interface_->transitions) {
    const Call& call = component_call(t.call);
    const auto when = condition(t.when, call, true);
    if (!when) return std::unexpected(when.error());
    auto set = read_updates(t.set, call, true);
    if (!set) return std::unexpected(set.error());
    transitions_.push_back({*when, std::move(*set)});
  }
  return {};
}

Result<void> GuardedReading::read_starts() {
  for (const InitialState& i : interface_->initial) {
    const auto call = std::ranges::find(component_->constructors(), i.constructor, &Call::name);
    if (call == component_->constructors().end())
      return fail("there is no constructor '{}'", i.constructor);
    const auto when = condition(i.when, *call, false);
    if (!when) return std::unexpected(when.error());
    auto set = read_updates(i.set, *call, false);
    if (!set) return std::unexpected(set.error());
    if (set->size() != tracked_.size())
      return fail("'{}' does not say what every tracked value is", i.constructor);
    starts_.push_back({*when, std::move(*set)});
  }
  return {};
}

// Values

GuardedReading::Known GuardedReading::known(const Call& call, const Values& arguments,
                                            const Values& tracked,
                                            const std::optional<Value>& result) const {
  Known known;
  const std::vector<Variable> variables = argument_variables(*component_, call);
  for (std::size_t i = 0; i < variables.size(); ++i) known[variables[i].term] = arguments[i];
  for (std::size_t i = 0; i < tracked.size(); ++i) known[tracked_[i].variable] = tracked[i];
  const Procedure& body = component_->body(call);
  if (result && body.returns)
    known[component_->arena().var("result", body.returns->sort)] = *result;
  return known;
}

Value GuardedReading::value_of(Term term, const Known& known) const {
  const auto value = evaluate(term, [&](Term variable) {
    const auto at = known.find(variable);
    if (at != known.end()) return at->second;
    failure_ = fmt::format("'{}' has no value where it is spoken of", variable->name);
    return default_value(variable->sort);
  });
  if (value) return *value;
  failure_ = value.error().message;
  return default_value(term->sort);
}

bool GuardedReading::allows(State q, std::size_t call, const Values& arguments,
                            const Values& tracked) const {
  if (!interface_->states[q].allows[written_[call]]) return false;
  const auto guard = guards_.find({q, written_[call]});
  if (guard == guards_.end()) return true;
  const Call& callee = component_->calls()[call];
  return value_of(guard->second, known(callee, arguments, tracked, std::nullopt)).truth();
}

bool GuardedReading::mentions_result(std::size_t transition) const {
  return std::ranges::any_of(variables(transitions_[transition].when),
                             [](Term v) { return v->name == "result"; });
}

bool GuardedReading::cell_holds(std::size_t transition, const Values& arguments,
                                const std::optional<Value>& result, const Values& tracked) const {
  const Call& call = component_call(interface_->transitions[transition].call);
  return value_of(transitions_[transition].when, known(call, arguments, tracked, result)).truth();
}

std::vector<std::size_t> GuardedReading::transitions_of(State q, std::size_t call,
                                                        std::size_t outcome) const {
  std::vector<std::size_t> found;
  const std::string& name = component_->calls()[call].outcomes[outcome];
  for (std::size_t t = 0; t < interface_->transitions.size(); ++t) {
    const InterfaceTransition& transition = interface_->transitions[t];
    if (transition.from != q || transition.call != written_[call]) continue;
    const std::string& written = interface_->calls[transition.call].outcomes[transition.outcome];
    if (written == name || written == "any") found.push_back(t);
  }
  return found;
}

std::vector<std::size_t> GuardedReading::cells(State q, std::size_t call, std::size_t outcome,
                                               const Values& arguments,
                                               const std::optional<Value>& result,
                                               const Values& tracked) const {
  std::vector<std::size_t> found = transitions_of(q, call, outcome);
  std::erase_if(found, [&](std::size_t t) { return !cell_holds(t, arguments, result, tracked); });
  return found;
}

GuardedReading::Values GuardedReading::updated(std::size_t transition, const Values& arguments,
                                               const std::optional<Value>& result,
                                               const Values& tracked) const {
  const Call& call = component_call(interface_->transitions[transition].call);
  const Known before = known(call, arguments, tracked, result);
  Values after = tracked;
  for (const Update& u : transitions_[transition].set) after[u.tracked] = value_of(u.value, before);
  return after;
}

std::vector<std::size_t> GuardedReading::starts(std::size_t constructor,
                                                const Values& arguments) const {
  const Call& call = component_->constructors()[constructor];
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < interface_->initial.size(); ++i)
    if (interface_->initial[i].constructor == call.name &&
        value_of(starts_[i].when, known(call, arguments, {}, std::nullopt)).truth())
      found.push_back(i);
  return found;
}

GuardedReading::Values GuardedReading::start_values(std::size_t initial,
                                                    const Values& arguments) const {
  const auto call = std::ranges::find(component_->constructors(),
                                      interface_->initial[initial].constructor, &Call::name);
  const Known before = known(*call, arguments, {}, std::nullopt);
  Values values(tracked_.size());
  for (const Update& u : starts_[initial].set) values[u.tracked] = value_of(u.value, before);
  return values;
}

GuardedReading::Values GuardedReading::tracked_in(const std::vector<Value>& state) const {
  Known known;
  for (std::size_t i = 0; i < state.size(); ++i)
    known[component_->module().state[i].term] = state[i];
  Values values;
  for (const Tracked& t : tracked_) values.push_back(value_of(t.term, known));
  return values;
}

} // namespace tacit
