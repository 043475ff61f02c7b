#include "finite/shape.h"

#include "program/ir/defaults.h"

namespace tacit {
namespace {

constexpr std::size_t max_slots = 4096;

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

void add_slots(std::vector<Slot>& slots, std::size_t variable, const Type& type,
               std::vector<Integer>& key) {
  if (is_map(type)) {
    for (std::uint64_t k = 0; k < *domain_size(*type.key); ++k) {
      key.push_back(scalar_value(*type.key, k));
      add_slots(slots, variable, *type.value, key);
      key.pop_back();
    }
    return;
  }
  const auto size = domain_size(type);
  Slot slot{.variable = variable, .size = size.value_or(0), .key = key};
  if (size && type.sort->kind == SortKind::Int) slot.low = static_cast<std::int64_t>(*type.low);
  slots.push_back(std::move(slot));
}

/// Whether every number of the type fits into 64 bits.
bool fits(const Type& type) {
  if (is_map(type)) return fits(*type.value);
  return type.sort->kind != SortKind::Int ||
         ((!type.low || *type.low >= INT64_MIN) && (!type.high || *type.high <= INT64_MAX));
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
    if (width_of(v.type) == 0 || v.type.sort->kind == SortKind::Ref)
      return fail("the state variable '{}' of type {} has no finite shape", v.name(),
                  to_string(v.type));
    if (!fits(v.type))
      return fail("the range of the state variable '{}' is too large for finite exploration",
                  v.name());
    std::vector<Integer> key;
    add_slots(slots, i, v.type, key);
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
