#include "check/client_conditions.h"

#include <algorithm>

#include "interface/conditions.h"
#include "logic/term/parse.h"
#include "program/ir/scope.h"

namespace tacit {

namespace {

using Tracked = ClientConditions::Tracked;

const Tracked* find(const std::vector<Tracked>& tracked, std::string_view name) {
  const auto found = std::ranges::find(tracked, name, &Tracked::name);
  return found == tracked.end() ? nullptr : &*found;
}

/// State variables, and tracked values by what they stand for.
class LabelScope : public ModuleScope {
public:
  LabelScope(const Interface& interface, const Component& component)
      : ModuleScope(component.module()), interface_(interface), component_(component) {}

  Term lookup(std::string_view name) const override {
    if (const Term known = ModuleScope::lookup(name)) return known;
    const auto tracked = std::ranges::find(interface_.tracked, name, &TrackedValue::name);
    if (tracked == interface_.tracked.end()) return nullptr;
    const auto term = parse_expression(tracked->term, "", component_.arena(),
                                       ModuleScope(component_.module()), nullptr);
    return term ? *term : nullptr;
  }

private:
  const Interface& interface_;
  const Component& component_;
};

bool mentions(Term term, Term variable) {
  const auto all = variables(term);
  return variable != nullptr && std::ranges::find(all, variable) != all.end();
}

/// What a condition says of the component's state beyond what the client can know: state other than
/// what it owns, unless it is read at an object that the call was given or has returned.
class Secrets {
public:
  Secrets(const Module& module, const Procedure& body, Term result)
      : module_(module), body_(body), result_(result) {}

  /// A variable of the component, or null.
  Term find(Term term, const std::vector<Tracked>& tracked) const {
    if (term->op == Op::Select && is_state(term->args[0]) && shared(term->args[1]))
      return find(term->args[1], tracked);
    if (term->op == Op::Var) return is_state(term) && !named(tracked, term) ? term : nullptr;
    for (Term arg : term->args)
      if (const Term secret = find(arg, tracked)) return secret;
    return nullptr;
  }

private:
  static bool named(const std::vector<Tracked>& tracked, Term variable) {
    return std::ranges::find(tracked, variable, &Tracked::variable) != tracked.end();
  }

  /// State that is not the client's.
  bool is_state(Term term) const {
    if (term->op != Op::Var) return false;
    const auto index = module_.state_index(term);
    return index && !module_.state[*index].client;
  }

  /// An object that the client has handed in or got.
  bool shared(Term object) const {
    if (object->op == Op::Select) return shared(object->args[1]);
    return object == result_ ||
           std::ranges::find(body_.parameters, object, &Variable::term) != body_.parameters.end();
  }

  const Module& module_;
  const Procedure& body_;
  Term result_;
};

} // namespace

class ConditionReader {
public:
  ConditionReader(const Interface& interface, const Component& component,
                  const Alignment& alignment, Findings& findings)
      : interface_(interface), component_(component), alignment_(alignment), findings_(findings),
        result_(interface, component) {}

  std::optional<ClientConditions> run() {
    if (!tracked() || !guards() || !cells() || !starts()) return std::nullopt;
    return std::move(result_);
  }

private:
  using Cell = ClientConditions::Cell;
  using Update = ClientConditions::Update;

  bool wrong(const std::string& what, std::string message, std::string detail = "") {
    findings_.reject(ClaimSet::all(), what, std::move(message), std::move(detail));
    return false;
  }

  bool tracked() {
    auto conditions = Conditions::of(interface_, component_.module());
    if (!conditions)
      return wrong("tracked values", "they cannot be read", conditions.error().message);
    conditions_.emplace(std::move(*conditions));
    const auto terms = conditions_->over_state();
    if (!terms) return wrong("tracked values", "they cannot be read", terms.error().message);
    for (std::size_t i = 0; i < interface_.tracked.size(); ++i) {
      const TrackedValue& value = interface_.tracked[i];
      const std::string what = fmt::format("tracked value {}", value.name);
      if (value.name.empty() || value.name == "result" ||
          find(result_.tracked_, value.name) != nullptr)
        return wrong(what, "it needs a name of its own");
      const TrackedVariables& variables = conditions_->tracked()[i];
      if (const StateVariable* state = component_.module().find_state(value.name);
          state != nullptr && (state->client || state->term != terms->at(variables.value)))
        return wrong(what, "a variable of the component has that name");
      const auto add = [&](const std::string& name, Term variable) {
        if (variable == nullptr || !terms->contains(variable)) return;
        slots_.emplace_back(i);
        result_.tracked_.push_back({name, variable, terms->at(variable)});
      };
      add(value.name, variables.value);
      add(value.name + ".keys()", variables.keys);
      add(value.name + ".size()", variables.size);
    }
    return true;
  }

  /// What is read may be looked at by the client; `result` is null where there is none.
  bool known(Term term, const std::string& what, const Call& call, Term result) {
    const Procedure& body = component_.body(call);
    const Module& module = component_.module();
    if (mentions(term, conditions_->result(body))) {
      if (result == nullptr) return wrong(what, "nobody looks at the result of this call here");
      if (body.find_local("result") != nullptr || module.find_state("result") != nullptr)
        return wrong(what, "'result' means two things");
    }
    if (const Term secret = Secrets(module, body, result).find(term, result_.tracked_))
      return wrong(what, fmt::format("the client does not know '{}'", secret->name));
    return true;
  }

  std::optional<Condition> condition(const std::string& text, const std::string& what,
                                     const Call& call, Term result) {
    const auto term = conditions_->condition(text, component_.body(call));
    if (!term) {
      wrong(what, "it cannot be read", term.error().message);
      return std::nullopt;
    }
    if (!known(*term, what, call, result)) return std::nullopt;
    return Condition{*term, mentions(*term, result)};
  }

  bool guards() {
    for (const ArgumentGuard& guard : interface_.guards) {
      if (guard.state >= interface_.states.size() || guard.call >= interface_.calls.size())
        return wrong("guards", "a guard is of a state or call that does not exist");
      const std::string what =
          fmt::format("guard of {} in q{}", interface_.calls[guard.call].name, guard.state);
      if (!interface_.states[guard.state].allows[guard.call])
        return wrong(what, "the call is not allowed there at all");
      const auto read = condition(guard.condition, what,
                                  component_.calls()[alignment_.call[guard.call]], nullptr);
      if (!read) return false;
      if (!result_.guards_.emplace(std::pair(guard.state, guard.call), read->term).second)
        return wrong(what, "there are two");
    }
    return true;
  }

  bool set(const TrackedUpdate& written, const std::string& what, const Call& call, Term result,
           Cell& cell) {
    for (const auto& [name, text] : written)
      if (std::ranges::find(interface_.tracked, name, &TrackedValue::name) ==
          interface_.tracked.end())
        return wrong(what, fmt::format("there is no tracked value '{}'", name));
    cell.set.resize(result_.tracked_.size());
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
      const std::size_t i = slots_[slot];
      const auto text = written.find(interface_.tracked[i].name);
      if (text == written.end()) continue;
      const std::string which = fmt::format("{}, {}", what, text->first);
      const auto terms = conditions_->update(i, text->second, component_.body(call));
      if (!terms) return wrong(which, "it cannot be read", terms.error().message);
      const TrackedVariables& variables = conditions_->tracked()[i];
      const Term variable = result_.tracked_[slot].variable;
      const Term term = variable == variables.value  ? terms->value
                        : variable == variables.keys ? terms->keys
                                                     : terms->size;
      Update& update = cell.set[slot];
      update.kind = term == nullptr ? Update::Kind::Anything : Update::Kind::Set;
      if (term == nullptr) continue;
      if (!known(term, which, call, result)) return false;
      update.term = term;
      update.mentions_result = mentions(term, result);
    }
    return true;
  }

  bool cells() {
    for (const InterfaceTransition& t : interface_.transitions) {
      const Call& call = component_.calls()[alignment_.call[t.call]];
      const std::string what = fmt::format("cell of q{} --{}--> q{}", t.from,
                                           letter_name(interface_.calls[t.call], t.outcome), t.to);
      const Term result = ClientConditions::result_of(component_, call);
      Cell& cell = result_.cells_.emplace_back();
      const auto when = condition(t.when, what, call, result);
      if (!when || !set(t.set, what, call, result, cell)) return false;
      cell.when = *when;
    }
    return true;
  }

  /// Starts speak of parameters alone, and of all tracked values.
  bool starts() {
    const auto& known = component_.constructors();
    for (const InitialState& initial : interface_.initial) {
      const Call& call = *std::ranges::find(known, initial.constructor, &Call::name);
      const std::string what = fmt::format("start {} --> q{}", call.name, initial.state);
      Cell& cell = result_.starts_.emplace_back();
      const auto when = condition(initial.when, what, call, nullptr);
      if (!when || !set(initial.set, what, call, nullptr, cell)) return false;
      cell.when = *when;
      for (const TrackedValue& value : interface_.tracked)
        if (!initial.set.contains(value.name))
          return wrong(what, fmt::format("it does not say what '{}' is", value.name));
      const auto early = [&](const Condition& read) {
        return read.term != nullptr &&
               std::ranges::any_of(result_.tracked_, [&](const Tracked& value) {
                 return mentions(read.term, value.variable);
               });
      };
      if (early(cell.when) || std::ranges::any_of(cell.set, early))
        return wrong(what, "it mentions a tracked value, which does not exist yet");
    }
    return true;
  }

  const Interface& interface_;
  const Component& component_;
  const Alignment& alignment_;
  Findings& findings_;
  std::optional<Conditions> conditions_;
  std::vector<std::size_t> slots_; // of result_.tracked_: the tracked value of the interface
  ClientConditions result_;
};

std::optional<ClientConditions> ClientConditions::read(const Interface& interface,
                                                       const Component& component,
                                                       const Alignment& alignment,
                                                       Findings& findings) {
  return ConditionReader(interface, component, alignment, findings).run();
}

Term ClientConditions::guard(State state, std::size_t call) const {
  if (!interface_->states[state].allows[call]) return component_->arena().falsehood();
  const auto known = guards_.find(std::pair(state, call));
  return known == guards_.end() ? component_->arena().truth() : known->second;
}

Term ClientConditions::result_of(const Component& component, const Call& call) {
  const Procedure& body = component.body(call);
  if (call.blind || !body.returns || body.returns->sort->kind == SortKind::Map) return nullptr;
  return component.arena().var("result", body.returns->sort);
}

std::optional<Term> read_label(const Interface& interface, const Component& component,
                               const std::string& text, std::string& why_not) {
  auto term = parse_expression(text, "", component.arena(), LabelScope(interface, component),
                               component.arena().bool_sort());
  if (term) return *term;
  why_not = term.error().message;
  return std::nullopt;
}

} // namespace tacit
