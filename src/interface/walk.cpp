#include "interface/walk.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "program/observe/split.h"
#include "program/text/read.h"

namespace tacit {

namespace {

/// Of calls that the component's text does not have.
const Procedure no_procedure{};

std::shared_ptr<const Module> module_of(const Interface& interface,
                                        std::vector<std::string>& unreadable) {
  if (!interface.tir.empty()) {
    auto module = read_module(interface.tir, interface.component_name + ".tir");
    if (module) return std::make_shared<const Module>(std::move(*module));
    unreadable.push_back("the component's text: " + to_string(module.error()));
  }
  return std::make_shared<const Module>();
}

JudgeOptions judge_options(const Interface& interface) {
  const auto texts = interface.constants.find("text");
  return {interface.language == "java",
          texts == interface.constants.end() ? nullptr : &texts->second};
}

} // namespace

bool same_place(const Place& a, const Place& b) {
  const auto same = [](const TrackedClientValue& x, const TrackedClientValue& y) {
    return identical(x.value, y.value) && identical(x.keys, y.keys) && identical(x.size, y.size);
  };
  return a.state == b.state && std::ranges::equal(a.tracked, b.tracked, same);
}

Walk::Walk(const Interface& interface)
    : interface_(interface), module_(module_of(interface, unreadable_)),
      calling_(interface, *module_), judge_(judge_options(interface)) {
  for (const InterfaceCall& call : interface.calls) {
    const Procedure* body = calling_.procedure(call.name);
    procedures_.push_back(body ? body : &no_procedure);
  }
  auto conditions = Conditions::of(interface, *module_);
  if (conditions)
    conditions_ = std::move(*conditions);
  else
    unreadable_.push_back(conditions.error().message);
  letter_conditions_.resize(interface.calls.size());
  for (const std::string& text : interface.options.letters)
    if (const auto spec = parse_letter_spec(text))
      if (const auto call = interface.find_call(spec->name))
        letter_conditions_[*call] =
            read_condition("letter " + spec->name, spec->condition, *procedures_[*call]);
  if (!interface.guarded()) return;
  for (const InitialState& start : interface.initial)
    initial_.push_back(
        read(start.constructor, start.when, start.set, procedure(start.constructor)));
  for (const InterfaceTransition& t : interface.transitions)
    transitions_.push_back(read(fmt::format("{} in state {}", interface.calls[t.call].name, t.from),
                                t.when, t.set, *procedures_[t.call]));
  for (const ArgumentGuard& guard : interface.guards)
    guards_[{guard.state, guard.call}] =
        read_condition(fmt::format("{} in state {}", interface.calls[guard.call].name, guard.state),
                       guard.condition, *procedures_[guard.call]);
}

Term Walk::read_condition(std::string_view where, const std::string& when,
                          const Procedure& procedure) {
  if (!conditions_) return nullptr;
  auto condition = conditions_->condition(when, procedure);
  if (condition) return *condition;
  unreadable_.push_back(fmt::format("{}: '{}': {}", where, when, condition.error().message));
  return nullptr;
}

Walk::Reading Walk::read(std::string_view where, const std::string& when, const TrackedUpdate& set,
                         const Procedure& procedure) {
  Reading reading{&procedure, read_condition(where, when, procedure), {}};
  for (std::size_t i = 0; i < interface_.tracked.size(); ++i) {
    const auto text = set.find(interface_.tracked[i].name);
    if (text == set.end()) continue;
    Update& update = reading.set.emplace_back(Update{i, std::nullopt});
    if (!conditions_) continue;
    auto terms = conditions_->update(i, text->second, procedure);
    if (terms)
      update.terms = *terms;
    else
      unreadable_.push_back(fmt::format("{}: '{} := {}': {}", where, text->first, text->second,
                                        terms.error().message));
  }
  return reading;
}

const Procedure& Walk::procedure(std::string_view name) const {
  const Procedure* body = calling_.procedure(name);
  return body ? *body : no_procedure;
}

Walk::Values Walk::values(const Place* place, const Procedure& procedure,
                          const std::vector<ClientValue>* arguments, const ClientValue* result,
                          const ClientValue* out) const {
  Values values;
  if (arguments)
    for (std::size_t i = 0; i < std::min(arguments->size(), procedure.parameters.size()); ++i)
      values[procedure.parameters[i].term] = (*arguments)[i];
  if (!conditions_) return values;
  if (const Term variable = conditions_->result(procedure); variable && result)
    values.try_emplace(variable, *result);
  if (const Term variable = Conditions::out(procedure); variable && out)
    values.try_emplace(variable, *out);
  for (std::size_t i = 0; place && i < conditions_->tracked().size(); ++i) {
    const TrackedVariables& variables = conditions_->tracked()[i];
    const TrackedClientValue& known = place->tracked.at(i);
    values[variables.value] = known.value;
    if (variables.keys) values[variables.keys] = known.keys;
    if (variables.size) values[variables.size] = known.size;
  }
  return values;
}

std::optional<bool> Walk::truth(Term condition, const Values& values) const {
  if (!condition) return std::nullopt;
  return judge_.truth(condition, [&](Term variable) {
    const auto found = values.find(variable);
    return found == values.end() ? unknown_value() : found->second;
  });
}

std::vector<TrackedClientValue> Walk::updated(const Reading& reading, const Values& values,
                                              const Place* place) const {
  std::vector<TrackedClientValue> tracked(interface_.tracked.size());
  if (place) tracked = place->tracked;
  const auto evaluate = [&](Term term) {
    if (!term) return unknown_value();
    return judge_.value(term, [&](Term variable) {
      const auto found = values.find(variable);
      return found == values.end() ? unknown_value() : found->second;
    });
  };
  for (const Update& update : reading.set) {
    TrackedClientValue& value = tracked[update.tracked];
    if (update.terms)
      value = {evaluate(update.terms->value), evaluate(update.terms->keys),
               evaluate(update.terms->size)};
    else
      value = {};
  }
  return tracked;
}

Start Walk::start(std::size_t constructor, const std::vector<ClientValue>* arguments) const {
  const std::string& name = interface_.constructors.at(constructor);
  Start start{false, {}};
  std::vector<Place> certain, possible;
  for (std::size_t i = 0; i < interface_.initial.size(); ++i) {
    const InitialState& entry = interface_.initial[i];
    if (entry.constructor != name) continue;
    if (initial_.empty()) {
      certain.push_back({entry.state, {}});
      continue;
    }
    const Values known = values(nullptr, *initial_[i].procedure, arguments, nullptr);
    const auto holds = truth(initial_[i].when, known);
    if (holds && !*holds) continue;
    (holds ? certain : possible).push_back({entry.state, updated(initial_[i], known, nullptr)});
  }
  const bool sure = !certain.empty();
  start.places = sure && arguments ? std::move(certain) : std::move(possible);
  if (sure && !arguments) start.places.insert(start.places.begin(), certain.begin(), certain.end());
  if (sure || (!arguments && !start.places.empty()))
    start.allowed = true;
  else if (!start.places.empty())
    start.allowed = std::nullopt;
  return start;
}

std::optional<bool> Walk::allows(const Place& place, const ConcreteCall& call) const {
  if (!interface_.states[place.state].allows[call.call]) return false;
  const auto guard = guards_.find({place.state, call.call});
  if (guard == guards_.end()) return true;
  const auto holds =
      truth(guard->second, values(&place, *procedures_[call.call],
                                  call.arguments ? &*call.arguments : nullptr, nullptr));
  return !holds && !call.arguments ? std::optional(true) : holds;
}

std::vector<Place> Walk::step(const Place& place, const ConcreteCall& call, bool* sure) const {
  std::vector<Place> places;
  const auto moves = interface_.outgoing(place.state, call.call);
  for (const std::size_t outcome : call.outcomes) {
    std::vector<Place> certain, possible;
    for (const InterfaceTransition& t : moves) {
      if (t.outcome != outcome) continue;
      if (transitions_.empty()) {
        certain.push_back({t.to, {}});
        continue;
      }
      const Reading& reading =
          transitions_[static_cast<std::size_t>(&t - interface_.transitions.data())];
      const Values known =
          values(&place, *procedures_[call.call], call.arguments ? &*call.arguments : nullptr,
                 &call.result, &call.out);
      const auto holds = truth(reading.when, known);
      if (holds && !*holds) continue;
      (holds ? certain : possible).push_back({t.to, updated(reading, known, &place)});
    }
    // Cells are disjoint: where one is taken for sure, no other is. An EPA may have several.
    std::vector<Place>& taken = certain.empty() ? possible : certain;
    if (sure && certain.empty() && !possible.empty()) *sure = false;
    for (Place& next : taken)
      if (std::ranges::none_of(places, [&](const Place& p) { return same_place(p, next); }))
        places.push_back(std::move(next));
  }
  return places;
}

std::vector<std::size_t> Walk::taken(const Place& place, const ConcreteCall& call) const {
  std::vector<std::size_t> certain, possible;
  for (const InterfaceTransition& t : interface_.outgoing(place.state, call.call)) {
    if (std::ranges::find(call.outcomes, t.outcome) == call.outcomes.end()) continue;
    const auto index = static_cast<std::size_t>(&t - interface_.transitions.data());
    if (transitions_.empty()) {
      certain.push_back(index);
      continue;
    }
    const auto holds =
        truth(transitions_[index].when,
              values(&place, *procedures_[call.call], call.arguments ? &*call.arguments : nullptr,
                     &call.result, &call.out));
    if (!holds || *holds) (holds ? certain : possible).push_back(index);
  }
  return certain.empty() ? possible : certain;
}

void Walk::add_standing(Term condition, const Values& values, std::vector<int>& into) const {
  if (!condition) return;
  constexpr int far = 2, not_known = 9;
  const auto valuation = [&](Term variable) {
    const auto found = values.find(variable);
    return found == values.end() ? unknown_value() : found->second;
  };
  switch (condition->op) {
  case Op::And:
  case Op::Or:
  case Op::Not:
  case Op::Ite:
    for (const Term part : condition->args) add_standing(part, values, into);
    return;
  case Op::Eq:
  case Op::Lt:
  case Op::Le: {
    const ClientValue left = judge_.value(condition->args[0], valuation),
                      right = judge_.value(condition->args[1], valuation);
    if (left.kind == ClientValue::Kind::Int && right.kind == ClientValue::Kind::Int) {
      const Integer apart = left.number - right.number;
      into.push_back(static_cast<int>(std::clamp<Integer>(apart, -far, far)));
      return;
    }
    break;
  }
  default: break;
  }
  const auto holds = truth(condition, values);
  into.push_back(holds ? (*holds ? 1 : 0) : not_known);
}

std::vector<int> Walk::standing(const Place& place, const ConcreteCall& call) const {
  std::vector<int> all;
  const Values known =
      values(&place, *procedures_[call.call], call.arguments ? &*call.arguments : nullptr, nullptr);
  if (const auto guard = guards_.find({place.state, call.call}); guard != guards_.end())
    add_standing(guard->second, known, all);
  for (const InterfaceTransition& t : interface_.outgoing(place.state, call.call))
    if (!transitions_.empty())
      add_standing(transitions_[static_cast<std::size_t>(&t - interface_.transitions.data())].when,
                   known, all);
  return all;
}

std::vector<int> Walk::standing_at_start(std::size_t constructor,
                                         const std::vector<ClientValue>& arguments) const {
  std::vector<int> all;
  for (std::size_t i = 0; i < initial_.size(); ++i)
    if (interface_.initial[i].constructor == interface_.constructors[constructor])
      add_standing(initial_[i].when, values(nullptr, *initial_[i].procedure, &arguments, nullptr),
                   all);
  return all;
}

std::vector<std::size_t> Walk::letters(const std::vector<std::size_t>& calls,
                                       const std::vector<ClientValue>& arguments) const {
  std::vector<std::size_t> fitting;
  bool exhausted = false;
  for (const std::size_t call : calls) {
    const Term condition = letter_conditions_[call];
    if (!condition) continue;
    const auto holds = truth(condition, values(nullptr, *procedures_[call], &arguments, nullptr));
    if (holds && !*holds) continue;
    fitting.push_back(call);
    exhausted |= holds.has_value();
    if (exhausted) return {call};
  }
  for (const std::size_t call : calls)
    if (!letter_conditions_[call]) fitting.push_back(call);
  return fitting;
}

std::vector<Term> Walk::terms() const {
  std::vector<Term> all;
  const auto take = [&](Term term) {
    if (term) all.push_back(term);
  };
  for (const auto* readings : {&initial_, &transitions_})
    for (const Reading& reading : *readings) {
      take(reading.when);
      for (const Update& update : reading.set)
        if (update.terms) take(update.terms->value);
    }
  for (const auto& [place, guard] : guards_) take(guard);
  for (const Term condition : letter_conditions_) take(condition);
  return all;
}

std::string Walk::shown(const Place& place) const {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < place.tracked.size(); ++i) {
    const TrackedValue& value = interface_.tracked[i];
    const Sort sort = tracked_sort(*module_, value.type);
    std::string text = to_string(place.tracked[i].value, sort);
    if (place.tracked[i].keys.known())
      text += " with keys " + to_string(place.tracked[i].keys, nullptr);
    parts.push_back(fmt::format("{} = {}", value.shown.empty() ? value.name : value.shown, text));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace tacit
