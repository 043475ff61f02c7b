#include "finite/bdd/shape.h"

#include "program/defaults.h"

namespace tacit {
namespace {

constexpr std::size_t max_slots = 4096;
constexpr std::uint64_t max_values = std::uint64_t{1} << 60;

bool is_map(const Type& type) { return type.sort->kind == SortKind::Map; }

void collect(const Type& type, std::vector<const Type*>& into) {
  if (!is_map(type)) return into.push_back(&type);
  for (std::uint64_t k = 0; k < *domain_size(*type.key); ++k) collect(*type.value, into);
}

Value read(const Type& type, std::vector<Integer>::const_iterator& at) {
  if (!is_map(type)) return Value(*at++);
  Value map = const_map(default_value(*type.value));
  for (std::uint64_t k = 0; k < *domain_size(*type.key); ++k)
    map = store(map, Value(scalar_value(*type.key, k)), read(*type.value, at));
  return map;
}

void write(const Type& type, const Value& value, std::vector<Integer>& into) {
  if (!is_map(type)) return into.push_back(value.number);
  for (std::uint64_t k = 0; k < *domain_size(*type.key); ++k)
    write(*type.value, select(value, Value(scalar_value(*type.key, k))), into);
}

Result<void> add_slots(std::vector<Slot>& slots, std::size_t variable, const std::string& name,
                       const Type& type, std::vector<Integer>& key) {
  if (is_map(type)) {
    for (std::uint64_t k = 0; k < *domain_size(*type.key); ++k) {
      key.push_back(scalar_value(*type.key, k));
      auto ok = add_slots(slots, variable, name, *type.value, key);
      key.pop_back();
      if (!ok) return ok;
    }
    return {};
  }
  const auto size = domain_size(type);
  if (!size || *size > max_values)
    return fail("the state variable '{}' of type {} has no finite range of at most 2^60 values",
                name, to_string(type));
  Slot slot{.variable = variable, .size = *size, .key = key};
  if (type.sort->kind == SortKind::Int) {
    if (*type.low < INT64_MIN || *type.high > INT64_MAX)
      return fail("the range of the state variable '{}' is too large for finite exploration", name);
    slot.low = static_cast<std::int64_t>(*type.low);
  }
  slots.push_back(std::move(slot));
  return {};
}

} // namespace

std::size_t width_of(const Type& type) {
  if (!is_map(type)) return 1;
  const auto keys = domain_size(*type.key);
  const std::size_t inner = width_of(*type.value);
  if (!keys || *keys > max_slots || inner == 0) return 0;
  const std::size_t width = static_cast<std::size_t>(*keys) * inner;
  return width > max_slots ? 0 : width;
}

std::vector<const Type*> scalars_of(const Type& type) {
  std::vector<const Type*> types;
  collect(type, types);
  return types;
}

Value value_of(const Type& type, const std::vector<Integer>& scalars) {
  auto at = scalars.begin();
  return read(type, at);
}

std::vector<Integer> scalars_of(const Type& type, const Value& value) {
  std::vector<Integer> scalars;
  write(type, value, scalars);
  return scalars;
}

Result<std::vector<Slot>> state_slots(const Component& component) {
  const Module& module = component.module();
  std::vector<Slot> slots;
  for (std::size_t i = 0; i < module.state.size(); ++i) {
    const StateVariable& v = module.state[i];
    if (width_of(v.type) == 0)
      return fail("the state variable '{}' of type {} has no finite shape", v.name(),
                  to_string(v.type));
    std::vector<Integer> key;
    if (auto ok = add_slots(slots, i, v.name(), v.type, key); !ok)
      return std::unexpected(ok.error());
    if (slots.size() > max_slots) return fail("the state has more than {} scalars", max_slots);
  }
  return slots;
}

Term slot_term(const Component& component, const Slot& slot) {
  Term t = component.module().state[slot.variable].term;
  for (Integer key : slot.key)
    t = component.arena().select(t, component.arena().constant(t->sort->key, key));
  return t;
}

} // namespace tacit
