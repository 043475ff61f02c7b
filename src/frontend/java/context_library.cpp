// What the context knows of library objects that fields hold, and of constants of enumerations.
#include <algorithm>

#include "frontend/java/context.h"
#include "frontend/java/contracts.h"
#include "frontend/java/instructions.h"
#include "program/contracts/instantiate.h"
#include "program/ir/defaults.h"

namespace tacit::java {

namespace {
/// A fact as the source asks for it.
std::string shown_fact(const std::string& object, const std::string& fact,
                       const std::string& type) {
  if (type.starts_with("[")) return fact == "size" ? object + ".length" : object;
  if (fact == "size" && type.starts_with("java/lang/String")) return object + ".length()";
  if (fact == "size") return object + ".size()";
  const bool one = type.starts_with("java/util/concurrent/atomic/");
  return fact == "value" && one ? object + ".get()" : object + "." + fact;
}

/// Whether facts are kept by what a type parameter stands for: then equal ones are the same.
bool is_key(const ClassFacts& facts, const std::string& parameter) {
  return std::ranges::any_of(facts.facts, [&](const KeptFact& fact) {
    return fact.name != how_often && fact.type.key && fact.type.key->sort->decl &&
           fact.type.key->sort->decl->name == parameter;
  });
}
} // namespace

void Context::leak_unseen() {
  std::set<const Method*> seen;
  for (const Body& body : work_) seen.insert(body.method);
  for (const Discoveries::Function& f : discovered.kept_functions)
    if (const ClassFile* file = pool.find(f.owner))
      seen.erase(file->find_method(f.name, f.descriptor));
  constexpr unsigned get_static = 0xb2, get_field = 0xb4;
  for (const std::string& name : own_) {
    const ClassFile* file = pool.find(name);
    if (!file) continue;
    for (const Method& method : file->methods) {
      const bool initialises = method.name == "<clinit>";
      if (!method.code || (seen.contains(&method) && !initialises)) continue;
      const auto graph = decode(*method.code, source_of(*file));
      if (!graph) continue;
      for (const Instruction& i : graph->instructions) {
        if (i.op == get_static) leak_unseen_table(*file, static_cast<unsigned>(i.operand), method);
        if (seen.contains(&method)) continue;
        if (i.op != get_field) continue;
        const auto target = file->member_at(static_cast<unsigned>(i.operand));
        const auto found =
            target ? pool.find_field(target->owner, target->name) : ClassPool::FoundField{};
        if (const HeldField* held = found.field ? held_field(*found.field) : nullptr) leak(*held);
      }
    }
  }
}

/// A static field that code reads which nobody follows. The initialiser itself is run (tables.h).
void Context::leak_unseen_table(const ClassFile& file, unsigned index, const Method& method) {
  const auto target = file.member_at(index);
  const auto found =
      target ? pool.find_field(target->owner, target->name) : ClassPool::FoundField{};
  if (!found.field || (method.name == "<clinit>" && found.owner == &file)) return;
  const auto table = table_of(found.owner->name, *found.field);
  if (table && table->ever_changes()) leak_table(found.owner->name + " " + found.field->name);
}

std::shared_ptr<const Table> Context::table_of(const std::string& owner, const Field& field) {
  constexpr unsigned wanted = access::is_static | access::is_final;
  const ClassFile* file = is_own(owner) ? pool.find(owner) : nullptr;
  if (!file || (field.flags & wanted) != wanted || !initialiser(owner) ||
      discovered.leaked_tables.contains(owner + " " + field.name))
    return nullptr;
  auto known = tables_.find(owner);
  if (known == tables_.end()) known = tables_.emplace(owner, tables_of(pool, *file)).first;
  const auto found = known->second.find(field.name);
  return found == known->second.end() ? nullptr : found->second;
}

void Context::leak_table(const std::string& field) {
  if (discovered.leaked_tables.insert(field).second) again = true;
}

bool Context::same_only_to_themselves(const std::string& type) {
  return is_own(type) && !is_open(type) &&
         bodies_below(type, "equals", "(Ljava/lang/Object;)Z")->empty();
}

/// Whether it is counted how often each element stands in a list.
bool Context::is_counted(const HeldField& field) {
  if (!discovered.counted.contains(field.key()) || field.arguments.empty()) return false;
  const std::string& type = field.arguments[0];
  return is_enum(type) || is_number_box(type) || type == "java/lang/String" ||
         same_only_to_themselves(type);
}

std::optional<Type> Context::held_argument(const HeldField& field, std::size_t parameter) {
  const std::string type = parameter < field.arguments.size() ? field.arguments[parameter] : "";
  if (const auto element =
          field.is_array() ? parse_type(std::string_view(field.type).substr(1)) : std::nullopt;
      element && !element->is_reference())
    return element->letter == 'F' || element->letter == 'D' ? std::nullopt
                                                            : std::optional(type_of(*element));
  const bool key = is_key(*field.facts, field.facts->type_parameters[parameter]);
  if (is_enum(type)) return Type{.sort = enum_sort(type)};
  const bool coded =
      (is_number_box(type) || type == "java/lang/String") &&
      std::ranges::find(field.facts->facts, no_value, &KeptFact::name) != field.facts->facts.end();
  if (!key) return Type{.sort = coded ? arena.int_sort() : arena.ref_sort()};
  const bool identity = field.type == "java/util/IdentityHashMap";
  if (field.ordered) return std::nullopt;
  if (type == "java/lang/String" || is_number_box(type))
    return identity ? std::nullopt : std::optional(Type{.sort = arena.int_sort()});
  const bool plain = same_only_to_themselves(type);
  const bool by_order = field.type.find("/Tree") != std::string::npos ||
                        field.type.find("SkipList") != std::string::npos;
  return plain && !by_order ? std::optional(Type{.sort = arena.ref_sort()}) : std::nullopt;
}

std::vector<std::optional<Type>> Context::held_types(const HeldField& field) {
  std::vector<std::optional<Type>> types;
  for (std::size_t i = 0; i < field.facts->type_parameters.size(); ++i)
    types.push_back(held_argument(field, i));
  return types;
}

std::string Context::held_name(const HeldObject& object) {
  if (object.receiver >= 0)
    return receivers_[static_cast<std::size_t>(object.receiver)].prefix + object.of->field->name;
  return class_label(object.of->owner->name) + "." + object.of->field->name;
}

Term Context::held_reference(const HeldObject& object) {
  if (object.receiver >= 0)
    return field(static_cast<std::size_t>(object.receiver), *object.of->owner, *object.of->field);
  return arena.select(field_map(*object.of->owner, *object.of->field), object.owner);
}

Term Context::held_fact(const HeldObject& object, const std::string& fact, Term owner) {
  const HeldField& held = *object.of;
  const std::string name = held.field->name + "." + fact;
  const bool plain = object.receiver >= 0;
  if (fact == known_keys) {
    const auto types = held_types(held);
    const bool list =
        std::ranges::find(held.facts->facts, how_often, &KeptFact::name) != held.facts->facts.end();
    return arena.boolean(plain && !types.empty() && types[0] && (!list || is_counted(held)));
  }
  if (fact == how_many_constants) {
    const auto types = held_types(held);
    const bool known =
        plain && !types.empty() && types[0] && types[0]->sort->kind == SortKind::Enum;
    return known ? arena.integer(types[0]->sort->decl->values.size() - 1) : nullptr;
  }
  if (fact == how_often && !is_counted(held)) return nullptr;
  if (fact == "sum" && (!discovered.summed.contains(held.key()) || discovered.sets_entries))
    return nullptr;
  if (fact == "value" && held.facts->type_parameters.size() == 2 && discovered.sets_entries)
    return nullptr;
  if (fact == "base" && !discovered.moving.contains(held.key())) return arena.integer(0);
  if (fact == leaves_value) return arena.falsehood(); // a call knows better (Opaque::fills)
  if (fact == no_value) {
    const auto types = held_types(held);
    return !types.empty() && types.back() ? null_of(*types.back()) : nullptr;
  }
  const JavaStateKey key{plain ? JavaStateKey::Kind::Field : JavaStateKey::Kind::Map,
                         plain ? static_cast<std::size_t>(object.receiver) : 0, held.owner->name,
                         name};
  if (const auto known = state_.find(key); known != state_.end())
    return plain ? known->second : arena.select(known->second, owner);
  const auto kept = std::ranges::find(held.facts->facts, fact, &KeptFact::name);
  if (kept == held.facts->facts.end()) return nullptr;
  const auto value = fact_type(*held.facts, *kept, module, held_types(held));
  if (!value || (!plain && value->sort->kind == SortKind::Map)) return nullptr;
  if (plain) {
    add_state(held_name(object) + "." + fact, *value, default_term(arena, *value), false);
    module.state.back().shown = shown_fact(held_name(object), fact, held.type);
    return state_[key] = module.state.back().term;
  }
  const std::string record = record_of(*held.owner);
  for (Record& r : module.records)
    if (r.name == record) r.fields.emplace_back(name, *value);
  Type type{.sort = arena.map_sort(arena.ref_sort(), value->sort)};
  type.key = std::make_shared<Type>(Type{.sort = arena.ref_sort(), .record = record});
  type.value = std::make_shared<Type>(*value);
  add_state(record + "." + name, type, nullptr, false);
  module.state.back().record = record;
  state_[key] = module.state.back().term;
  fact_maps_.insert(state_[key]);
  return arena.select(state_[key], owner);
}

std::vector<const Contract*> Context::contracts_for(const std::string& type,
                                                    const std::string& method,
                                                    const std::string& descriptor) {
  if (!library) return {};
  for (const std::string& name : contract_names(pool, type, method, descriptor))
    if (auto found = library->named(name); !found.empty()) return found;
  return {};
}

} // namespace tacit::java
