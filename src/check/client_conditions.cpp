#include "check/client_conditions.h"

#include <algorithm>
#include <set>

#include "logic/term/parse.h"
#include "program/ir/scope.h"

namespace tacit {

namespace {

using Tracked = ClientConditions::Tracked;

const Tracked* find(const std::vector<Tracked>& tracked, std::string_view name) {
  const auto found = std::ranges::find(tracked, name, &Tracked::name);
  return found == tracked.end() ? nullptr : &*found;
}

/// What the client knows when it makes a call, and afterwards.
class ClientScope : public Scope {
public:
  ClientScope(const Component& component, const Procedure& body, Term result,
              const std::vector<Tracked>& tracked)
      : module_(component.module()), body_(body), names_(module_, &body), result_(result),
        tracked_(tracked) {}

  Term lookup(std::string_view name) const override {
    if (const Tracked* value = find(tracked_, name)) return value->variable;
    if (const auto parameter = std::ranges::find(body_.parameters, name, &Variable::name);
        parameter != body_.parameters.end())
      return parameter->term;
    if (const StateVariable* state = module_.find_state(name); state != nullptr && state->client)
      return state->term;
    return name == "result" ? result_ : nullptr;
  }
  Term enumerator(std::string_view name, Sort wanted) const override {
    return names_.enumerator(name, wanted);
  }
  /// Through parameters only: what else is reached is the component's.
  Term field(std::string_view object, std::string_view field) const override {
    const bool passed = std::ranges::any_of(body_.parameters, [&](const Variable& parameter) {
      return object == parameter.name() || object.starts_with(parameter.name() + ".");
    });
    return passed ? names_.field(object, field) : nullptr;
  }
  std::vector<std::string> names() const override {
    std::vector<std::string> known;
    for (const Variable& parameter : body_.parameters) known.push_back(parameter.name());
    for (const StateVariable& state : module_.state)
      if (state.client) known.push_back(state.name());
    for (const Tracked& value : tracked_) known.push_back(value.name);
    if (result_ != nullptr) known.emplace_back("result");
    return known;
  }

private:
  const Module& module_;
  const Procedure& body_;
  ModuleScope names_;
  Term result_;
  const std::vector<Tracked>& tracked_;
};

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

/// How a sort is written as the type of a tracked value.
std::string type_name(Sort sort) {
  switch (sort->kind) {
  case SortKind::Bool: return "bool";
  case SortKind::Int: return "int";
  case SortKind::Enum: return sort->decl->name;
  case SortKind::Ref: return "ref";
  case SortKind::Map:
    if (sort->value->kind == SortKind::Bool) return "set<" + type_name(sort->key) + ">";
    return "map<" + type_name(sort->key) + "," + type_name(sort->value) + ">";
  }
  return "";
}

bool mentions(Term term, Term variable) {
  const auto all = variables(term);
  return variable != nullptr && std::ranges::find(all, variable) != all.end();
}

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
  bool wrong(const std::string& what, std::string message, std::string detail = "") {
    findings_.reject(ClaimSet::all(), what, std::move(message), std::move(detail));
    return false;
  }

  bool tracked() {
    const Module& module = component_.module();
    for (const TrackedValue& value : interface_.tracked) {
      const std::string what = fmt::format("tracked value {}", value.name);
      if (value.name.empty() || value.name == "result" ||
          find(result_.tracked_, value.name) != nullptr)
        return wrong(what, "it needs a name of its own");
      auto term =
          parse_expression(value.term, what, component_.arena(), ModuleScope(module), nullptr);
      if (!term) return wrong(what, "its term cannot be read", term.error().message);
      if (const StateVariable* state = module.find_state(value.name);
          state != nullptr && (state->client || state->term != *term))
        return wrong(what, "a variable of the component has that name");
      for (const auto* calls : {&component_.calls(), &component_.constructors()})
        for (const Call& call : *calls) {
          const auto& parameters = component_.body(call).parameters;
          if (std::ranges::find(parameters, value.name, &Variable::name) != parameters.end())
            return wrong(what, fmt::format("a parameter of {} has that name", call.name));
        }
      const std::string type = type_name((*term)->sort);
      const bool text = value.type == "text"; // strings are whatever the front end makes of them
      if (value.type != type && !text)
        return wrong(what, fmt::format("its term is of type {}, not {}", type, value.type));
      result_.tracked_.push_back(
          {value.name, component_.arena().var("tracked " + value.name, (*term)->sort), *term});
    }
    return true;
  }

  std::optional<Condition> read(const std::string& text, const std::string& what, const Call& call,
                                Term result, Sort wanted) {
    const ClientScope scope(component_, component_.body(call), result, result_.tracked_);
    auto term = parse_expression(text, what, component_.arena(), scope, wanted);
    if (!term) {
      wrong(what, "it cannot be read", term.error().message);
      return std::nullopt;
    }
    return Condition{*term, mentions(*term, result)};
  }

  Condition always() const { return {component_.arena().truth(), false}; }

  bool guards() {
    for (const ArgumentGuard& guard : interface_.guards) {
      if (guard.state >= interface_.states.size() || guard.call >= interface_.calls.size())
        return wrong("guards", "a guard is of a state or call that does not exist");
      const std::string what =
          fmt::format("guard of {} in q{}", interface_.calls[guard.call].name, guard.state);
      if (!interface_.states[guard.state].allows[guard.call])
        return wrong(what, "the call is not allowed there at all");
      const auto read =
          this->read(guard.condition, what, component_.calls()[alignment_.call[guard.call]],
                     nullptr, component_.arena().bool_sort());
      if (!read) return false;
      if (!result_.guards_.emplace(std::pair(guard.state, guard.call), read->term).second)
        return wrong(what, "there are two");
    }
    return true;
  }

  bool set(const TrackedUpdate& written, const std::string& what, const Call& call, Term result,
           bool all, ClientConditions::Cell& cell) {
    for (const auto& [name, text] : written)
      if (find(result_.tracked_, name) == nullptr)
        return wrong(what, fmt::format("there is no tracked value '{}'", name));
    for (const Tracked& value : result_.tracked_) {
      const auto update = written.find(value.name);
      Condition read;
      if (update != written.end()) {
        const auto term = this->read(update->second, fmt::format("{}, {}", what, value.name), call,
                                     result, value.term->sort);
        if (!term) return false;
        read = *term;
      } else if (all) {
        return wrong(what, fmt::format("it does not say what '{}' is", value.name));
      }
      cell.set.push_back(read);
    }
    return true;
  }

  bool cells() {
    for (const InterfaceTransition& t : interface_.transitions) {
      const Call& call = component_.calls()[alignment_.call[t.call]];
      const std::string what = fmt::format("cell of q{} --{}--> q{}", t.from,
                                           letter_name(interface_.calls[t.call], t.outcome), t.to);
      const Term result = ClientConditions::result_of(component_, call);
      ClientConditions::Cell cell{always(), {}};
      if (!t.when.empty()) {
        const auto when = read(t.when, what, call, result, component_.arena().bool_sort());
        if (!when) return false;
        cell.when = *when;
      }
      if (!set(t.set, what, call, result, false, cell)) return false;
      result_.cells_.push_back(std::move(cell));
    }
    return true;
  }

  /// Starts speak of parameters alone.
  bool starts() {
    const auto& known = component_.constructors();
    for (const InitialState& initial : interface_.initial) {
      const Call& call = *std::ranges::find(known, initial.constructor, &Call::name);
      const std::string what = fmt::format("start {} --> q{}", call.name, initial.state);
      ClientConditions::Cell cell{always(), {}};
      if (!initial.when.empty()) {
        const auto when = read(initial.when, what, call, nullptr, component_.arena().bool_sort());
        if (!when) return false;
        cell.when = *when;
      }
      if (!set(initial.set, what, call, nullptr, true, cell)) return false;
      const auto early = [&](const Condition& read) {
        return read.term != nullptr &&
               std::ranges::any_of(result_.tracked_, [&](const Tracked& value) {
                 return mentions(read.term, value.variable);
               });
      };
      if (early(cell.when) || std::ranges::any_of(cell.set, early))
        return wrong(what, "it mentions a tracked value, which does not exist yet");
      result_.starts_.push_back(std::move(cell));
    }
    return true;
  }

  const Interface& interface_;
  const Component& component_;
  const Alignment& alignment_;
  Findings& findings_;
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
  return component.arena().var("the result", body.returns->sort);
}

std::optional<Term> read_guard(const Interface& interface, const Component& component,
                               const Call& call, const std::string& text) {
  std::vector<Tracked> tracked;
  Substitution by;
  for (const TrackedValue& value : interface.tracked) {
    const auto term = parse_expression(value.term, "", component.arena(),
                                       ModuleScope(component.module()), nullptr);
    if (!term) return std::nullopt;
    tracked.push_back(
        {value.name, component.arena().var("tracked " + value.name, (*term)->sort), *term});
    by.emplace(tracked.back().variable, *term);
  }
  const auto term = parse_expression(text, "", component.arena(),
                                     ClientScope(component, component.body(call), nullptr, tracked),
                                     component.arena().bool_sort());
  if (!term) return std::nullopt;
  return substitute(component.arena(), *term, by);
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
