#include "client/interface_program.h"

#include <algorithm>

#include "abstraction/formula/body_formula.h"
#include "abstraction/formula/written_predicates.h"
#include "component/component.h"
#include "interface/calling.h"
#include "logic/z3/z3_solver.h"
#include "program/observe/split.h"
#include "program/text/read.h"

namespace tacit {

namespace {

constexpr std::string_view returns = "returns=", throws = "throws=";

/// The constant of a sort that an outcome names; null when there is none.
Term named_value(TermArena& arena, std::string_view text, Sort sort) {
  switch (sort->kind) {
  case SortKind::Bool:
    return text == "true" ? arena.truth() : text == "false" ? arena.falsehood() : nullptr;
  case SortKind::Int: {
    Integer number = 0;
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    if (text.empty() || text.size() > 18) return nullptr;
    for (const char digit : text) {
      if (digit < '0' || digit > '9') return nullptr;
      number = number * 10 + (digit - '0');
    }
    return arena.integer(negative ? -number : number);
  }
  case SortKind::Enum:
    for (std::size_t i = 0; i < sort->decl->values.size(); ++i)
      if (sort->decl->values[i].name == text) return arena.enumerator(sort, i);
    return nullptr;
  case SortKind::Ref: return text == "null" ? arena.null() : nullptr;
  case SortKind::Map: break;
  }
  return nullptr;
}

} // namespace

namespace {

/// `returns>0`.
std::optional<ReturnSplit> split_named(const std::string& outcome) {
  constexpr std::size_t word = 7;
  return outcome.starts_with("returns") && !outcome.starts_with(returns)
             ? parse_return_split("result" + outcome.substr(word))
             : std::nullopt;
}

} // namespace

std::optional<std::string> thrown_by(const std::string& outcome) {
  if (!outcome.starts_with(throws)) return std::nullopt;
  return outcome.substr(throws.size());
}

Term outcome_condition(TermArena& arena, const std::string& outcome,
                       const std::vector<std::string>& all, Term result) {
  if (outcome == "returns" || outcome == "any") return arena.truth();
  if (const auto split = split_named(outcome); split && result && result->sort == arena.int_sort())
    return split->on(arena, result);
  if (outcome.starts_with("returns") && !outcome.starts_with(returns)) return arena.truth();
  if (!outcome.starts_with(returns)) return nullptr;
  if (!result) return arena.truth();
  const std::string value = outcome.substr(returns.size());
  if (value != "other") {
    const Term named = named_value(arena, value, result->sort);
    return named ? arena.eq(result, named) : arena.truth();
  }
  std::vector<Term> none;
  for (const std::string& one : all)
    if (one.starts_with(returns) && one != outcome)
      if (const Term named = named_value(arena, one.substr(returns.size()), result->sort))
        none.push_back(arena.ne(result, named));
  return arena.conj(std::move(none));
}

Term InterfaceProgram::condition(const std::string& text, const Procedure& procedure) {
  if (text.empty()) return module_->arena->truth();
  const auto read = conditions_->condition(text, procedure);
  if (read) return *read;
  unreadable_.push_back(text);
  return nullptr;
}

std::vector<ProgramUpdate> InterfaceProgram::updates(const TrackedUpdate& set,
                                                     const Procedure& procedure) {
  std::vector<ProgramUpdate> made;
  for (std::size_t i = 0; i < interface_->tracked.size(); ++i) {
    const auto found = set.find(interface_->tracked[i].name);
    if (found == set.end() || !tracked_[i]) continue;
    const auto read = conditions_->update(i, found->second, procedure);
    made.push_back({i, read ? read->value : nullptr});
    if (!read) unreadable_.push_back(found->second);
  }
  return made;
}

Result<void> InterfaceProgram::add_call(std::size_t index,
                                        const std::vector<std::string>& outcomes) {
  const InterfaceCall& call = interface_->calls[index];
  const Procedure* procedure = Calling(*interface_, *module_).procedure(call.name);
  if (!procedure) return fail("the component in the result has no call '{}'", call.name);
  ProgramCall made{call.name, procedure->name, procedure, outcomes, std::nullopt, {}};
  for (const std::string& text : interface_->options.letters)
    if (const auto spec = parse_letter_spec(text); spec && spec->name == call.name) {
      made.method = spec->method;
      made.letter = condition(spec->condition, *procedure);
    }
  for (State state = 0; state < interface_->states.size(); ++state) {
    if (!interface_->states[state].allows[index]) continue;
    const ArgumentGuard* guard = interface_->find_guard(state, index);
    ProgramCase one{state, condition(guard ? guard->condition : "", *procedure), {}};
    for (const InterfaceTransition& t : interface_->outgoing(state, index)) {
      const std::string& outcome = call.outcomes[t.outcome];
      ProgramStep step{outcome == "any" && !outcomes.empty() ? outcomes
                                                             : std::vector<std::string>{outcome},
                       condition(t.when, *procedure), updates(t.set, *procedure), t.to};
      one.steps.push_back(std::move(step));
    }
    made.cases.push_back(std::move(one));
  }
  calls_.push_back(std::move(made));
  return {};
}

/// Labels that are proved hold wherever a word leads, so what they exclude cannot happen.
void InterfaceProgram::leave_out_impossible(const Component& component) {
  if (interface_->verdict.safe != Claim::Proved) return;
  const auto solver = make_z3_solver();
  TermArena& arena = component.arena();
  for (ProgramCall& call : calls_) {
    const auto known = component.find_call(call.name);
    if (!known || call.outcomes.size() < 2) continue;
    const Call& one = component.calls()[*known];
    const auto body = body_formula(component, component.body(one), "outcome", std::nullopt);
    if (!body) continue;
    for (ProgramCase& in : call.cases) {
      const auto& labels = interface_->evidence.safe;
      const std::string& text =
          in.state < labels.size() ? labels[in.state] : interface_->states[in.state].label;
      const std::vector<Term> label = usable_predicates(component, {text});
      if (label.size() != 1) continue;
      for (ProgramStep& step : in.steps)
        std::erase_if(step.outcomes, [&](const std::string& outcome) {
          std::vector<Term> ways;
          for (const FormulaExit& exit : body->exits)
            if (!exit.error && one.outcomes[exit.outcome] == outcome) ways.push_back(exit.guard);
          const Term happens = arena.disj(std::move(ways));
          return solver->check({label[0], state_facts(component), happens}) == Truth::Unsat;
        });
      std::erase_if(in.steps, [](const ProgramStep& step) { return step.outcomes.empty(); });
    }
  }
}

Result<InterfaceProgram> InterfaceProgram::of(const Interface& interface) {
  if (interface.kind != "interface")
    return fail("an interface is needed, not a result of kind '{}'", interface.kind);
  return of_any(interface);
}

Result<InterfaceProgram> InterfaceProgram::of_any(const Interface& interface) {
  if (interface.tir.empty())
    return fail("the result does not carry its component, so that nobody knows the parameters of "
                "its calls");
  auto module = read_module(interface.tir, interface.component_name + ".tir");
  if (!module) return std::unexpected(module.error());
  InterfaceProgram made;
  made.interface_ = &interface;
  made.module_ = std::make_shared<Module>(std::move(*module));
  auto conditions = Conditions::of(interface, *made.module_);
  if (!conditions) return std::unexpected(conditions.error());
  made.conditions_ = std::make_shared<Conditions>(std::move(*conditions));
  for (const TrackedVariables& tracked : made.conditions_->tracked()) {
    const bool single = tracked.value && !tracked.keys && !tracked.size &&
                        tracked.value->sort->kind != SortKind::Map;
    made.tracked_.push_back(single ? tracked.value : nullptr);
  }
  const auto component = build_component(*made.module_, interface.options);
  if (!component) return std::unexpected(component.error());
  for (std::size_t i = 0; i < interface.calls.size(); ++i) {
    const auto known = component->find_call(interface.calls[i].name);
    const std::vector<std::string> outcomes =
        known ? component->calls()[*known].outcomes : std::vector<std::string>{};
    if (auto added = made.add_call(i, outcomes); !added) return std::unexpected(added.error());
  }
  if (interface.kind == "interface") made.leave_out_impossible(*component);
  const Calling calling(interface, *made.module_);
  for (const std::string& name : interface.constructors) {
    ProgramStart start{name, calling.procedure(name), {}};
    for (const InitialState& initial : interface.initial) {
      if (initial.constructor != name) continue;
      static const Procedure none;
      const Procedure& procedure = start.procedure ? *start.procedure : none;
      start.ways.push_back({made.condition(initial.when, procedure),
                            made.updates(initial.set, procedure), initial.state});
    }
    made.starts_.push_back(std::move(start));
  }
  return made;
}

} // namespace tacit
