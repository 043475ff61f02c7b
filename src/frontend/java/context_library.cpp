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

/// The number that an instruction pushes.
std::optional<Integer> pushed_number(const ClassFile& file, const Instruction& one) {
  if (one.op >= 2 && one.op <= 8) return static_cast<int>(one.op) - 3;  // iconst
  if (one.op == 9 || one.op == 10) return static_cast<int>(one.op) - 9; // lconst
  if (one.op == 0x10 || one.op == 0x11) return one.operand;             // bipush, sipush
  if (one.op < 0x12 || one.op > 0x14) return std::nullopt;              // ldc
  const auto index = static_cast<std::size_t>(one.operand);
  if (index >= file.pool.size()) return std::nullopt;
  const Constant& c = file.pool[index];
  if (c.tag == ConstantTag::Integer) return static_cast<std::int32_t>(c.bits);
  if (c.tag == ConstantTag::Long) return static_cast<std::int64_t>(c.bits);
  return std::nullopt;
}

/// The local that an instruction loads; -1 for others.
int loaded_local(const Instruction& one) {
  if (one.op >= 0x15 && one.op <= 0x19) return one.operand;
  return one.op >= 0x1a && one.op <= 0x2d ? (one.op - 0x1a) % 4 : -1;
}

/// Which parameter of a constructor, the name and number of a constant counted, a field is set to
/// whatever happens; no value when that cannot be told.
std::optional<std::size_t> parameter_stored(const ClassFile& owner, const Method& method,
                                            const Field& field) {
  const auto signature = parse_signature(method.descriptor);
  if (!signature || !method.code) return std::nullopt;
  const auto graph = decode(*method.code, owner.name);
  if (!graph || graph->blocks.size() != 1) return std::nullopt;
  std::optional<std::size_t> found;
  for (std::size_t i = 1; i < graph->instructions.size(); ++i) {
    if (graph->instructions[i].op != 0xb5) continue;
    const auto target = owner.member_at(static_cast<unsigned>(graph->instructions[i].operand));
    if (!target || target->name != field.name || target->owner != owner.name) continue;
    const int local = loaded_local(graph->instructions[i - 1]);
    int at = 1;
    for (std::size_t p = 0; p < signature->parameters.size(); ++p) {
      if (at == local && !found) found = p;
      at += signature->parameters[p].is_wide() ? 2 : 1;
    }
    if (!found) return std::nullopt;
  }
  return found;
}

} // namespace

/// Read from the initialiser: `new E`, name, number, the arguments, the constructor, the field.
std::vector<Integer> Context::constant_fields(const ClassFile& enumeration, const Field& field) {
  if (!is_enum(enumeration.name) || !(field.flags & access::is_final) ||
      (field.flags & access::is_static))
    return {};
  const Method* init = enumeration.find_method("<clinit>", "()V");
  const auto graph =
      init && init->code ? decode(*init->code, enumeration.name) : Result<CodeGraph>(CodeGraph{});
  if (!graph) return {};
  const auto& list = graph->instructions;
  std::vector<Integer> values;
  std::size_t begun = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto index = static_cast<unsigned>(list[i].operand);
    if (list[i].op == 0xbb) begun = i;
    if (list[i].op != 0xb7) continue;
    const auto made = enumeration.member_at(index);
    if (!made || made->name != "<init>") continue;
    if (made->owner != enumeration.name) return {}; // a constant with a body
    const Method* constructor = enumeration.find_method("<init>", made->descriptor);
    const auto parameter =
        constructor ? parameter_stored(enumeration, *constructor, field) : std::nullopt;
    const auto signature = parse_signature(made->descriptor);
    // new, dup, and one instruction for each argument.
    if (!parameter || !signature || i - begun != signature->parameters.size() + 2) return {};
    const auto value = pushed_number(enumeration, list[begun + 2 + *parameter]);
    if (!value) return {};
    values.push_back(*value);
  }
  const auto constants = std::ranges::count_if(
      enumeration.fields, [](const Field& f) { return (f.flags & access::is_enum) != 0; });
  return values.size() == static_cast<std::size_t>(constants) ? values : std::vector<Integer>{};
}

// --- inner classes

bool Context::is_inner(const ClassFile& file) const {
  const std::string outer = "L" + type_.name + ";";
  return is_own(file.name) && !file.is(access::is_public) && receivers_.size() == 1 &&
         file.name != type_.name && file.name.starts_with(type_.name + "$") &&
         std::ranges::any_of(file.fields, [&](const Field& field) {
           return field.name.starts_with("this$") && (field.flags & access::is_synthetic) &&
                  field.descriptor == outer;
         });
}

bool Context::is_outer_field(const ClassFile& owner, const Field& field) const {
  return field.name.starts_with("this$") && (field.flags & access::is_synthetic) &&
         field.descriptor == "L" + type_.name + ";" && is_inner(owner) &&
         !discovered.other_outers.contains(owner.name) && !discovered.reads_others;
}

// --- library objects

const HeldField* Context::held_field(const Field& field) const {
  if (!discovered.held) return nullptr;
  const auto found = discovered.held->find(&field);
  return found == discovered.held->end() || discovered.leaked.contains(found->second.key())
             ? nullptr
             : &found->second;
}

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

void Context::leak(const HeldField& field) {
  if (discovered.leaked.insert(field.key()).second) again = true;
}

namespace {

/// Whether facts are kept by what a type parameter stands for: then equal ones are the same.
bool is_key(const ClassFacts& facts, const std::string& parameter) {
  return std::ranges::any_of(facts.facts, [&](const KeptFact& fact) {
    return fact.name != how_often && fact.type.key && fact.type.key->sort->decl &&
           fact.type.key->sort->decl->name == parameter;
  });
}

} // namespace

bool Context::is_number_box(const std::string& type) {
  static const std::set<std::string> boxes = {"java/lang/Integer",   "java/lang/Long",
                                              "java/lang/Short",     "java/lang/Byte",
                                              "java/lang/Character", "java/lang/Boolean"};
  return boxes.contains(type);
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

Term Context::null_of(const Type& type) {
  if (type.sort == arena.int_sort()) return null_code();
  return type.sort == arena.ref_sort() ? arena.null() : arena.enumerator(type.sort, 0);
}

Term Context::null_code() {
  // Below all numbers that boxes hold, and what texts are numbered by.
  return arena.integer(-(Integer{1} << 63) - 1);
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
  if (fact == no_nulls) {
    // Of numbers and texts, whoever gets one knows by other means.
    const auto types = held_types(held);
    return arena.boolean(!discovered.sets_entries &&
                         !discovered.nullable_elements.contains(held.key()) && !types.empty() &&
                         types.back() && types.back()->sort != arena.int_sort());
  }
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
