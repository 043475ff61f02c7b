// Runs blocks one after the other over frames of slots. Terms are evaluated by
// logic/term/evaluate.h, the one meaning of operators; what is done here for speed is that a
// variable finds its slot through one hash look-up in a table made once, and that constants and
// plain variables never get as far as the evaluator.
#include "program/ir/interpreter.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

#include <fmt/format.h>

#include "base/should.h"
#include "program/ir/defaults.h"

namespace tacit {

Integer above_addresses(const Value& value, Sort sort) {
  if (sort->kind == SortKind::Ref) return value.number + 1;
  if (sort->kind != SortKind::Map) return 1;
  Integer above = above_addresses(value.map->otherwise, sort->value);
  for (const auto& [key, element] : value.map->entries) {
    if (sort->key->kind == SortKind::Ref) above = std::max(above, key + 1);
    above = std::max(above, above_addresses(element, sort->value));
  }
  return above;
}

namespace {

using Slot = std::uint32_t;

/// Whether assigning can leave the type's range at all.
bool has_range(const Type& type) {
  return type.ranged() ||
         (type.sort->kind == SortKind::Map && type.value && has_range(*type.value));
}

/// Inputs come from outside: a number that is no value of the sort must not get in.
bool is_value(Sort sort, const Value& value) {
  switch (sort->kind) {
  case SortKind::Bool: return !value.map && (value.number == 0 || value.number == 1);
  case SortKind::Enum:
    return !value.map && value.number >= 0 &&
           value.number < static_cast<Integer>(sort->decl->values.size());
  case SortKind::Ref: return !value.map && value.number >= 0;
  case SortKind::Int: return !value.map;
  case SortKind::Map: break;
  }
  return value.map && is_value(sort->value, value.map->otherwise) &&
         std::ranges::all_of(value.map->entries, [&](const auto& entry) {
           return is_value(sort->key, Value(entry.first)) && is_value(sort->value, entry.second);
         });
}

struct SlotInfo {
  const Variable* variable = nullptr;
  bool ranged = false;
};

SlotInfo info(const Variable& variable) { return {&variable, has_range(variable.type)}; }

/// Parameters come first, then locals.
struct Body {
  const Procedure* procedure = nullptr;
  std::unordered_map<Term, Slot> slots;
  std::vector<SlotInfo> infos;
  std::vector<Value> defaults;
};

Body body_of(const Procedure& procedure) {
  Body body;
  body.procedure = &procedure;
  for (const auto* list : {&procedure.parameters, &procedure.locals}) {
    for (const Variable& variable : *list) {
      body.slots.emplace(variable.term, static_cast<Slot>(body.infos.size()));
      body.infos.push_back(info(variable));
      body.defaults.push_back(default_value(variable.type));
    }
  }
  return body;
}

} // namespace

struct Interpreter::Tables {
  std::unordered_map<Term, Slot> state_slots;
  std::vector<SlotInfo> state_infos;
  std::unordered_map<std::string_view, const Body*> by_name;
  std::vector<Body> bodies; // as the module's procedures

  explicit Tables(const Module& module) {
    for (const StateVariable& state : module.state) {
      state_slots.emplace(state.term, static_cast<Slot>(state_infos.size()));
      state_infos.push_back(info(state));
    }
    for (const Procedure& procedure : module.procedures) bodies.push_back(body_of(procedure));
    for (const Body& body : bodies) by_name.emplace(body.procedure->name, &body);
  }

  // `by_name` points into `bodies`.
  Tables(const Tables&) = delete;
  Tables& operator=(const Tables&) = delete;

  /// Null for a procedure that is not the module's own.
  const Body* find(const Module& module, const Procedure& procedure) const {
    const Procedure* first = module.procedures.data();
    const std::less<const Procedure*> before;
    if (before(&procedure, first) || !before(&procedure, first + module.procedures.size()))
      return nullptr;
    return &bodies[static_cast<std::size_t>(&procedure - first)];
  }
};

namespace {

struct Frame {
  const Body* body = nullptr;
  std::vector<Value> values;
  BlockId block = 0;

  const Block& code() const { return body->procedure->blocks[block]; }
};

/// One run. Every step returns whether to go on; when not, `run_` says why. (A template only
/// because the tables are private to Interpreter.)
template <class Tables> class Machine {
public:
  Machine(const Module& module, const Tables& tables, std::size_t step_limit,
          std::span<const Value> inputs)
      : module_(module), tables_(tables), step_limit_(step_limit), inputs_(inputs) {}

  ProcedureRun run(const Body& body, const ConcreteState& before) {
    run_.after = before;
    if (enter(body) && read_parameters()) {
      while (step()) {
      }
    }
    return std::move(run_);
  }

private:
  bool stop(RunEnd how) {
    run_.how = how;
    return false;
  }

  bool give_up(std::string reason) {
    run_.reason = std::move(reason);
    return stop(RunEnd::GaveUp);
  }

  bool enter(const Body& body) {
    should(!body.procedure->blocks.empty(), "a procedure that is run should have a body");
    frames_.push_back({&body, body.defaults, 0});
    return true;
  }

  bool read_parameters() {
    Frame& frame = frames_.back();
    for (Slot slot = 0; slot < frame.body->procedure->parameters.size(); ++slot)
      if (!read_input(frame.values[slot], frame.body->infos[slot], Chooser::Client)) return false;
    return true;
  }

  bool read_input(Value& into, const SlotInfo& info, Chooser chooser) {
    if (run_.used == inputs_.size()) {
      run_.needs = info.variable;
      run_.chooser = chooser;
      return stop(RunEnd::NeedsInput);
    }
    const Value& input = inputs_[run_.used++];
    const Sort sort = info.variable->type.sort;
    if (!is_value(sort, input)) return stop(RunEnd::Blocked);
    // An address that is handed in is there already.
    run_.after.next_reference = std::max(run_.after.next_reference, above_addresses(input, sort));
    return put(into, info, input);
  }

  bool put(Value& into, const SlotInfo& info, Value value) {
    if (info.ranged && !contains(info.variable->type, value)) return stop(RunEnd::Blocked);
    into = std::move(value);
    return true;
  }

  const Value& value_of(Term variable) const {
    const Frame& frame = frames_.back();
    if (const auto local = frame.body->slots.find(variable); local != frame.body->slots.end())
      return frame.values[local->second];
    const auto state = tables_.state_slots.find(variable);
    should(state != tables_.state_slots.end(),
           "a variable should be a parameter, a local or state");
    return run_.after.values[state->second];
  }

  struct Place {
    Value* value;
    const SlotInfo* info;
  };

  Place place_of(Term variable) {
    Frame& frame = frames_.back();
    if (const auto local = frame.body->slots.find(variable); local != frame.body->slots.end())
      return {&frame.values[local->second], &frame.body->infos[local->second]};
    const auto state = tables_.state_slots.find(variable);
    should(state != tables_.state_slots.end(),
           "a variable should be a parameter, a local or state");
    return {&run_.after.values[state->second], &tables_.state_infos[state->second]};
  }

  bool assign(Term target, Value value) {
    const Place place = place_of(target);
    return put(*place.value, *place.info, std::move(value));
  }

  /// nullopt after giving up.
  std::optional<Value> evaluated(Term term) {
    if (is_constant(term)) return Value(term->number);
    if (term->op == Op::Var) return value_of(term);
    auto value = evaluate(term, valuation_);
    if (value) return std::move(*value);
    give_up(value.error().message);
    return std::nullopt;
  }

  bool step() {
    const Block& block = frames_.back().code();
    run_.steps += block.statements.size() + 1;
    if (run_.steps > step_limit_) return give_up(fmt::format("step limit of {}", step_limit_));
    for (const Statement& statement : block.statements)
      if (!execute(statement)) return false;
    return leave(block.end);
  }

  bool execute(const Statement& statement) {
    switch (statement.kind) {
    case StatementKind::Assign: {
      auto value = evaluated(statement.value);
      return value && assign(statement.target, std::move(*value));
    }
    case StatementKind::Assume: {
      const auto value = evaluated(statement.value);
      if (!value) return false;
      return value->truth() || stop(RunEnd::Blocked);
    }
    case StatementKind::Havoc: {
      const Place place = place_of(statement.target);
      return read_input(*place.value, *place.info, statement.chooser);
    }
    case StatementKind::New: return assign(statement.target, Value(run_.after.next_reference++));
    }
    should_not_be_reached("every kind of statement should be executed");
  }

  bool leave(const Terminator& end) {
    switch (end.kind) {
    case TerminatorKind::Goto: return jump(end.next);
    case TerminatorKind::Branch: {
      const auto value = evaluated(end.value);
      return value && jump(value->truth() ? end.next : end.other);
    }
    case TerminatorKind::Call: return call(end);
    case TerminatorKind::Return: return finish(end);
    case TerminatorKind::Throw: return unwind(end);
    case TerminatorKind::Error: run_.end = &end; return stop(RunEnd::Erred);
    }
    should_not_be_reached("every kind of terminator should be executed");
  }

  bool jump(BlockId to) {
    frames_.back().block = to;
    return true;
  }

  bool call(const Terminator& end) {
    const auto callee = tables_.by_name.find(end.name);
    should(callee != tables_.by_name.end(), "a call should name a procedure of the module");
    const Body& body = *callee->second;
    std::vector<Value> arguments;
    for (const Term argument : end.arguments) {
      auto value = evaluated(argument);
      if (!value) return false;
      arguments.push_back(std::move(*value));
    }
    enter(body);
    Frame& frame = frames_.back();
    for (Slot slot = 0; slot < arguments.size(); ++slot)
      if (!put(frame.values[slot], body.infos[slot], std::move(arguments[slot]))) return false;
    return true;
  }

  bool finish(const Terminator& end) {
    Value value;
    if (end.value != nullptr) {
      auto result = evaluated(end.value);
      if (!result) return false;
      value = std::move(*result);
    }
    if (frames_.size() == 1) {
      run_.value = std::move(value);
      run_.end = &end;
      return stop(RunEnd::Returned);
    }
    frames_.pop_back();
    const Terminator& site = frames_.back().code().end;
    if (site.result != nullptr && !assign(site.result, std::move(value))) return false;
    return jump(site.next);
  }

  bool unwind(const Terminator& end) {
    const auto exception = evaluated(end.value);
    if (!exception) return false;
    const std::string& name = module_.exceptions[static_cast<std::size_t>(exception->number)].name;
    while (frames_.size() > 1) {
      frames_.pop_back();
      for (const Handler& handler : frames_.back().code().end.handlers) {
        if (!module_.exception_is(name, handler.exception)) continue;
        if (handler.binder != nullptr && !assign(handler.binder, *exception)) return false;
        return jump(handler.target);
      }
    }
    run_.value = *exception;
    run_.end = &end;
    return stop(RunEnd::Threw);
  }

  const Module& module_;
  const Tables& tables_;
  std::size_t step_limit_;
  std::span<const Value> inputs_;
  std::vector<Frame> frames_;
  ProcedureRun run_;
  const Valuation valuation_ = [this](Term variable) { return value_of(variable); };
};

} // namespace

bool operator==(const ConcreteState& a, const ConcreteState& b) {
  return a.next_reference == b.next_reference && a.values == b.values;
}

bool operator<(const ConcreteState& a, const ConcreteState& b) {
  if (a.next_reference != b.next_reference) return a.next_reference < b.next_reference;
  return a.values < b.values;
}

Interpreter::Interpreter(const Module& module, std::size_t step_limit)
    : module_(module), step_limit_(step_limit), tables_(std::make_shared<const Tables>(module)) {}

ProcedureRun Interpreter::run(const Procedure& procedure, const ConcreteState& before,
                              std::span<const Value> inputs) const {
  should(before.values.size() == module_.state.size(),
         "a state should hold a value for each state variable");
  Machine<Tables> machine(module_, *tables_, step_limit_, inputs);
  if (const Body* body = tables_->find(module_, procedure)) return machine.run(*body, before);
  return machine.run(body_of(procedure), before);
}

std::optional<ConcreteState> Interpreter::initial(std::span<const Value> inputs) const {
  const Valuation none = [](Term) -> Value {
    should_not_be_reached("an initial value should be constant");
  };
  ConcreteState state;
  std::size_t used = 0;
  for (const StateVariable& variable : module_.state) {
    if (variable.initial == nullptr) {
      if (used == inputs.size() || !is_value(variable.type.sort, inputs[used]) ||
          !contains(variable.type, inputs[used]))
        return std::nullopt;
      state.values.push_back(inputs[used++]);
    } else {
      const auto value = evaluate(variable.initial, none);
      should(value.has_value(), "an initial value should be a number in range");
      state.values.push_back(*value);
    }
    state.next_reference =
        std::max(state.next_reference, above_addresses(state.values.back(), variable.type.sort));
  }
  return state;
}

ConcreteState concrete_state(const Module& module, std::vector<Value> values) {
  ConcreteState state{std::move(values), 1};
  for (std::size_t i = 0; i < module.state.size(); ++i)
    state.next_reference =
        std::max(state.next_reference, above_addresses(state.values[i], module.state[i].type.sort));
  return state;
}

std::vector<const StateVariable*> Interpreter::uninitialised() const {
  std::vector<const StateVariable*> found;
  for (const StateVariable& variable : module_.state)
    if (variable.initial == nullptr) found.push_back(&variable);
  return found;
}

std::string to_string(const Module& module, const ConcreteState& state) {
  std::string text;
  for (std::size_t i = 0; i < state.values.size(); ++i)
    text += fmt::format("{}{}={}", i == 0 ? "" : ", ", module.state[i].name(),
                        to_string(state.values[i], module.state[i].type.sort));
  return text;
}

} // namespace tacit
