#include "finite/compiled.h"

#include "finite/compiled_body.h"
#include "program/ir/defaults.h"

namespace tacit {

CompiledComponent::CompiledComponent(const Component& component) : component_(component) {}
CompiledComponent::~CompiledComponent() = default;

namespace {

Value read_value(const std::int64_t*& at, const Type& type) {
  std::vector<Integer> scalars(at, at + width_of(type));
  at += scalars.size();
  return value_of(type, scalars);
}

void write_value(std::int64_t* at, const Type& type, const Value& value) {
  for (Integer scalar : scalars_of(type, value)) *at++ = static_cast<std::int64_t>(scalar);
}

} // namespace

Result<std::unique_ptr<CompiledComponent>> CompiledComponent::compile(const Component& component) {
  std::unique_ptr<CompiledComponent> made(new CompiledComponent(component));
  auto slots = state_slots(component);
  if (!slots) return std::unexpected(slots.error());
  made->slots_ = std::move(*slots);
  for (std::size_t i = 0; i < made->slots_.size(); ++i)
    if (i == 0 || made->slots_[i].variable != made->slots_[i - 1].variable)
      made->first_slot_.push_back(i);
  for (const Procedure& p : component.module().procedures) {
    auto body = compile_body(component.module(), p, made->first_slot_, made->slots_.size());
    if (!body) return std::unexpected(body.error());
    made->bodies_.push_back(std::move(*body));
  }
  for (const StateVariable& v : component.module().state)
    if (!v.initial && !domain_size(v.type))
      return fail("the state variable '{}' has no initial value and no finite type", v.name());
  return made;
}

Result<void> CompiledComponent::for_each_initial(const InitialVisitor& visit) const {
  const Module& module = component_.module();
  Frame frame(slots_.size());
  std::vector<Value> inputs;
  std::vector<std::size_t> open;
  std::uint64_t total = 1;
  for (std::size_t i = 0; i < module.state.size(); ++i) {
    const StateVariable& v = module.state[i];
    if (!v.initial) {
      open.push_back(i);
      const std::uint64_t size = *domain_size(v.type);
      if (size > (std::uint64_t{1} << 24) / total)
        return fail("there are too many initial values of '{}'", v.name());
      total *= size;
      continue;
    }
    const auto value = evaluate(v.initial, [](Term) { return Value(0); });
    if (!value) return std::unexpected(value.error());
    write_value(frame.data() + first_slot_[i], v.type, *value);
  }
  std::function<void(std::size_t)> choose = [&](std::size_t k) {
    if (k == open.size()) return visit(frame, inputs);
    const StateVariable& v = module.state[open[k]];
    for (std::uint64_t i = 0; i < *domain_size(v.type); ++i) {
      inputs.push_back(domain_value(v.type, i));
      write_value(frame.data() + first_slot_[open[k]], v.type, inputs.back());
      choose(k + 1);
      inputs.pop_back();
    }
  };
  choose(0);
  return {};
}

Result<void> CompiledComponent::for_each_run(std::size_t procedure, const Frame& state,
                                             const std::function<bool()>& argument,
                                             const RunVisitor& visit) {
  if (const auto failure = run_body(*bodies_[procedure], state, argument, visit, chosen_)) {
    const Procedure& body = component_.module().procedures[procedure];
    return fail(body.where, "in '{}' from {}: {}", body.name, describe(state), *failure);
  }
  return {};
}

std::vector<Value> CompiledComponent::inputs() const {
  std::vector<Value> values;
  for (const auto& [type, scalars] : chosen_) {
    const std::int64_t* at = scalars.data();
    values.push_back(read_value(at, *type));
  }
  return values;
}

std::map<std::string, std::size_t> CompiledComponent::loop_bounds() const {
  std::map<std::string, std::size_t> bounds;
  const auto& procedures = component_.module().procedures;
  for (std::size_t p = 0; p < procedures.size(); ++p)
    for (std::size_t b = 0; b < bodies_[p]->cyclic.size(); ++b)
      if (bodies_[p]->cyclic[b] && !bodies_[p]->endless)
        bounds[procedures[p].name + "/" + std::to_string(b)] = bodies_[p]->most_visits[b];
  return bounds;
}

ConcreteState CompiledComponent::concrete(const Frame& state) const {
  ConcreteState result;
  const std::int64_t* at = state.data();
  for (const StateVariable& v : component_.module().state)
    result.values.push_back(read_value(at, v.type));
  return result;
}

std::string CompiledComponent::describe(const Frame& state) const {
  return to_string(component_.module(), concrete(state));
}

} // namespace tacit
