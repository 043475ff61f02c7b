#include "abstraction/formula/path.h"

#include "program/ir/defaults.h"

namespace tacit {

Path::Path(const ComponentFormulas& formulas, std::size_t constructor, Side side, AtStart)
    : formulas_(formulas), constructor_(constructor), side_(side) {
  TermArena& arena = formulas.arena();
  // Before the constructor: initial values, or any value of the type.
  for (const StateVariable& v : formulas.component().module().state) {
    if (v.initial) {
      state_[v.term] = v.initial;
      continue;
    }
    Term any = arena.var("initial!" + v.name(), v.type.sort);
    state_[v.term] = any;
    conditions_.push_back(value_facts(arena, v.type, any));
  }
}

Path Path::before(const ComponentFormulas& formulas, std::size_t constructor, Side side) {
  return {formulas, constructor, side, AtStart{}};
}

Path::Path(const ComponentFormulas& formulas, std::size_t constructor, Side side)
    : Path(formulas, constructor, side, AtStart{}) {
  TermArena& arena = formulas.arena();
  const CallFormulas& made = formulas.constructor(constructor, side);
  const Substitution by = step_substitution(made.body, 0);
  const StepFormula& start = made.outcomes[0];
  conditions_.push_back(substitute(arena, start.guard, by));
  Substitution after = state_;
  for (const auto& [variable, value] : start.after) after[variable] = substitute(arena, value, by);
  state_ = std::move(after);
}

Term Path::renamed_input(Term input, std::size_t step) const {
  return formulas_.arena().var(input->name + "@" + std::to_string(step), input->sort);
}

Substitution Path::step_substitution(const BodyFormula& body, std::size_t step) const {
  Substitution by = state_;
  for (const FormulaInput& input : body.inputs)
    by[input.variable] = renamed_input(input.variable, step);
  return by;
}

void Path::extend(std::size_t letter) {
  TermArena& arena = formulas_.arena();
  const std::size_t call = formulas_.component().letter(letter).call;
  const StepFormula& step = formulas_.letter(letter, side_);
  letters_.push_back(letter);
  const Substitution by = step_substitution(formulas_.call(call, side_).body, letters_.size());
  conditions_.push_back(substitute(arena, step.guard, by));
  Substitution after = state_;
  for (const auto& [variable, value] : step.after) after[variable] = substitute(arena, value, by);
  state_ = std::move(after);
}

Term Path::at_end(Term formula, const BodyFormula* body) const {
  const Substitution by = body ? step_substitution(*body, letters_.size() + 1) : state_;
  return substitute(formulas_.arena(), formula, by);
}

Term Path::at_start(Term formula) const {
  return substitute(formulas_.arena(), formula,
                    step_substitution(formulas_.constructor(constructor_, side_).body, 0));
}

std::optional<std::vector<Value>> Path::inputs(Solver& solver, const Procedure& procedure,
                                               const BodyFormula& body, std::size_t step,
                                               const ConcreteState& before,
                                               Addresses& addresses) const {
  return concrete_inputs(formulas_.component().module(), procedure, body, before, addresses,
                         [&](Term input) { return solver.value(renamed_input(input, step)); });
}

std::optional<ConcreteRun> Path::run(Solver& solver, std::optional<std::size_t> last_call) const {
  const Component& component = formulas_.component();
  ConcreteRun run;
  run.constructor = constructor_;
  for (const StateVariable& v : component.module().state) {
    if (v.initial) continue;
    auto value = solver.value(formulas_.arena().var("initial!" + v.name(), v.type.sort));
    if (!value) return std::nullopt;
    run.initial.push_back(v.type.value ? within(v.type, *value) : *value);
  }
  const Interpreter interpreter(component.module());
  const auto initial = interpreter.initial(run.initial);
  if (!initial) return std::nullopt;
  Addresses addresses;
  auto first = inputs(solver, component.body(component.constructors()[constructor_]),
                      formulas_.constructor(constructor_, side_).body, 0, *initial, addresses);
  if (!first) return std::nullopt;
  run.constructor_inputs = std::move(*first);
  ConcreteState state = run_constructor(component, run).after;
  auto add_step = [&](std::size_t call, std::size_t step) {
    auto chosen = inputs(solver, component.body(component.calls()[call]),
                         formulas_.call(call, side_).body, step, state, addresses);
    if (!chosen) return false;
    run.steps.push_back({call, std::move(*chosen)});
    state = run_step(component, state, run.steps.back()).after;
    return true;
  };
  for (std::size_t i = 0; i < letters_.size(); ++i)
    if (!add_step(component.letter(letters_[i]).call, i + 1)) return std::nullopt;
  if (last_call && !add_step(*last_call, letters_.size() + 1)) return std::nullopt;
  return run;
}

} // namespace tacit
