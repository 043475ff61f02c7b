// Types, exceptions and fields as variables of the neutral program.
#include <algorithm>

#include "base/should.h"
#include "frontend/java/instructions.h"
#include "frontend/java/state_space.h"
#include "program/ir/defaults.h"
#include "program/ir/names.h"

namespace tacit::java {

Sort StateSpace::enum_sort(const std::string& name) {
  if (const auto known = enums_.find(name); known != enums_.end()) return known->second;
  const ClassFile* file = pool.find(name);
  should(file != nullptr, "an enumeration should be a class that is known");
  EnumDecl decl{class_label(name), {}};
  auto add = [&](const std::string& wanted, Integer value) {
    std::set<std::string> taken = reserved_;
    for (const Exception& e : module.exceptions) taken.insert(e.name);
    taken.insert(enum_names_.begin(), enum_names_.end());
    decl.values.push_back({free_name(taken, wanted), value});
    enum_names_.insert(decl.values.back().name);
  };
  add("no_" + decl.name, -1);
  Integer ordinal = 0;
  for (const Field& field : file->fields)
    if (field.flags & access::is_enum) add(field.name, ordinal++);
  const Sort sort = arena.enum_sort(std::move(decl));
  module.enums.push_back(sort);
  return enums_[name] = sort;
}

Type StateSpace::machine_type(Kind kind) {
  switch (kind) {
  case Kind::Int:
    return {.sort = arena.int_sort(), .low = -(Integer{1} << 31), .high = (Integer{1} << 31) - 1};
  case Kind::Long:
    return {.sort = arena.int_sort(), .low = -(Integer{1} << 63), .high = (Integer{1} << 63) - 1};
  case Kind::Float:
  case Kind::Double: return {.sort = arena.int_sort()};
  case Kind::Exception: return exception_type();
  default: return {.sort = arena.ref_sort()};
  }
}

Type StateSpace::type_of(const JavaType& type) {
  const auto ranged = [&](int bits, bool is_signed) -> Type {
    const Integer top = Integer{1} << (is_signed ? bits - 1 : bits);
    return {.sort = arena.int_sort(), .low = is_signed ? -top : 0, .high = top - 1};
  };
  switch (type.letter) {
  case 'Z': return {.sort = arena.bool_sort()};
  case 'B': return ranged(8, true);
  case 'S': return ranged(16, true);
  case 'C': return ranged(16, false);
  case 'I': return ranged(32, true);
  case 'J': return ranged(64, true);
  case 'F':
  case 'D': return {.sort = arena.int_sort()};
  case 'L':
    if (is_enum(type.name)) return {.sort = enum_sort(type.name)};
    return {.sort = arena.ref_sort()};
  default: return {.sort = arena.ref_sort()};
  }
}

Kind StateSpace::kind_of(const JavaType& type) {
  switch (type.letter) {
  case 'J': return Kind::Long;
  case 'F': return Kind::Float;
  case 'D': return Kind::Double;
  case 'V': return Kind::Nothing;
  case '[': return Kind::Reference;
  case 'L': return is_enum(type.name) ? Kind::Enumeration : Kind::Reference;
  default: return Kind::Int;
  }
}

void StateSpace::declare_exception(const std::string& name) {
  std::set<std::string> seen;
  for (std::string at = name; !at.empty() && at != "java/lang/Object" && seen.insert(at).second;) {
    if (discovered.exceptions.insert(at).second) again = true;
    const ClassFile* file = pool.find(at);
    if (!file && at != "java/lang/Throwable")
      assume(fmt::format("the class {} is not known; it is taken for a Throwable", dotted(at)));
    at = file ? file->super : at == "java/lang/Throwable" ? "" : "java/lang/Throwable";
  }
}

Term StateSpace::exception(const std::string& name) {
  if (const auto index = module.find_exception(dotted(name)))
    return arena.enumerator(module.exception_sort, *index);
  declare_exception(name);
  // This round's result is thrown away; any term of a sort will do.
  return arena.enumerator(arena.enum_sort({"not yet declared", {{"missing", 0}}}), 0);
}

Term StateSpace::is_exception(Term value, const std::string& name) {
  if (!module.find_exception(dotted(name))) {
    declare_exception(name);
    return arena.falsehood();
  }
  if (value->sort != module.exception_sort) return arena.falsehood();
  std::vector<Term> cases;
  for (std::size_t e = 0; e < module.exceptions.size(); ++e)
    if (module.exception_is(module.exceptions[e].name, dotted(name)))
      cases.push_back(arena.eq(value, arena.enumerator(module.exception_sort, e)));
  if (cases.size() == module.exceptions.size()) return arena.truth();
  return arena.disj(std::move(cases));
}

Type StateSpace::exception_type() const {
  if (module.exception_sort) return {.sort = module.exception_sort};
  return {.sort = arena.enum_sort({"not yet declared", {{"missing", 0}}})};
}

void StateSpace::add_state(const std::string& wanted, const Type& type, Term initial, bool client) {
  // Words and types of the text form, and names that passes give; `~` is in no Java name.
  static const std::set<std::string> words = {"result",    "ref", "array", "Object", "int", "bool",
                                              "exception", "map", "u8",    "u16",    "u32", "u64",
                                              "s8",        "s16", "s32",   "s64",    "true"};
  const bool clash = words.contains(wanted) || label_names_.contains(wanted);
  const std::string name = clash ? wanted + "~" : wanted;
  StateVariable made;
  made.term = arena.var(name, type.sort);
  made.type = type;
  made.initial = initial;
  made.client = client;
  if (clash) made.shown = wanted;
  module.state.push_back(std::move(made));
}

Term StateSpace::field(std::size_t receiver, const ClassFile& owner, const Field& field) {
  const JavaStateKey key{JavaStateKey::Kind::Field, receiver, owner.name, field.name};
  if (const auto known = state_.find(key); known != state_.end()) return known->second;
  const Receiver& object = receivers_[receiver];
  // A field that a subclass hides is named with its class.
  std::string name = object.prefix + field.name;
  for (const ClassFile* one : object.chain) {
    if (one == &owner) break;
    if (one->find_field(field.name))
      name = object.prefix + class_label(owner.name) + "~" + field.name;
  }
  const JavaType java = parse_type(field.descriptor).value_or(JavaType{'I', ""});
  Type type = type_of(java);
  const bool changes = (field.flags & access::is_final) == 0;
  const bool client = receiver == 0 && changes && (field.flags & access::is_public) != 0 &&
                      !(java.letter == 'L' && is_own(java.name));
  Term initial = receiver == 0 ? default_term(arena, type) : nullptr;
  add_state(name, type, initial, client);
  return state_[key] = module.state.back().term;
}

std::vector<Term> StateSpace::native_fields(std::size_t receiver) {
  std::vector<Term> found;
  // By copy: a new field may bring new receivers.
  const auto chain = receivers_[receiver].chain;
  for (const ClassFile* one : chain)
    for (const Field& f : one->fields)
      if (!(f.flags & (access::is_static | access::is_final)) && !assigned(*one, f, false)) {
        found.push_back(field(receiver, *one, f));
        if (receiver == 0 && !assigned(*one, f, true)) never_assigned_.insert(found.back());
      }
  assume(
      fmt::format("native methods of {} write none of the fields that its code assigns, and none "
                  "before its constructors return",
                  dotted(receivers_[receiver].type->name)));
  return found;
}

Term StateSpace::field_like(std::size_t receiver, const StateVariable& map) {
  const auto type = record_class_.find(map.record);
  should(type != record_class_.end(), "a record of objects should have a class");
  const Field* found = type->second->find_field(map.name().substr(map.record.size() + 1));
  should(found != nullptr, "a map of a record should be one of a field");
  return field(receiver, *type->second, *found);
}

Term StateSpace::field_map(const ClassFile& owner, const Field& field) {
  const JavaStateKey key{JavaStateKey::Kind::Map, 0, owner.name, field.name};
  if (const auto known = state_.find(key); known != state_.end()) return known->second;
  const std::string record = record_of(owner);
  const Type value = type_of(parse_type(field.descriptor).value_or(JavaType{'I', ""}));
  for (Record& r : module.records)
    if (r.name == record) r.fields.emplace_back(field.name, value);
  Type type{.sort = arena.map_sort(arena.ref_sort(), value.sort)};
  type.key = std::make_shared<Type>(Type{.sort = arena.ref_sort(), .record = record});
  type.value = std::make_shared<Type>(value);
  add_state(record + "." + field.name, type, nullptr, false);
  module.state.back().record = record;
  return state_[key] = module.state.back().term;
}

Term StateSpace::array_length() {
  const JavaStateKey key{JavaStateKey::Kind::Length, 0, "", ""};
  if (const auto known = state_.find(key); known != state_.end()) return known->second;
  need_record("array");
  const Type value{.sort = arena.int_sort(), .low = 0, .high = (Integer{1} << 31) - 1};
  for (Record& r : module.records)
    if (r.name == "array") r.fields.emplace_back("length", value);
  Type type{.sort = arena.map_sort(arena.ref_sort(), arena.int_sort())};
  type.key = std::make_shared<Type>(Type{.sort = arena.ref_sort(), .record = "array"});
  type.value = std::make_shared<Type>(value);
  add_state("array.length", type, nullptr, false);
  module.state.back().record = "array";
  return state_[key] = module.state.back().term;
}

Term StateSpace::static_field(const std::string& owner, const std::string& name,
                              const JavaType& type, bool followed) {
  const JavaStateKey key{JavaStateKey::Kind::Static, 0, owner, name};
  if (const auto known = state_.find(key); known != state_.end()) return known->second;
  const Type made = type_of(type);
  add_state("static." + class_label(owner) + "." + name, made,
            followed ? default_term(arena, made) : nullptr, false);
  const Term field = module.state.back().term;
  if (followed)
    static_owners_[owner] = name;
  else
    hidden_statics_.emplace_back(
        field, type.letter == 'L' && !is_enum(type.name) &&
                   (is_library_constant(owner, name) || set_to_object(owner, name)));
  return state_[key] = field;
}

void StateSpace::hide_statics(const std::string& owner) {
  for (const auto& [key, field] : state_)
    if (key.kind == JavaStateKey::Kind::Static && key.owner == owner)
      hidden_statics_.emplace_back(field, false);
}

bool StateSpace::is_library_constant(const std::string& owner, const std::string& name) {
  constexpr unsigned wanted = access::is_public | access::is_static | access::is_final;
  const ClassFile* file = owner.starts_with("java/") && !is_own(owner) ? pool.find(owner) : nullptr;
  const Field* field = file ? file->find_field(name) : nullptr;
  return field && (field->flags & wanted) == wanted;
}

bool StateSpace::is_fixed(const std::string& owner, const Field* field, const JavaType& type) {
  if (!field || !(field->flags & access::is_final) || !type.is_reference() || !is_own(owner))
    return false;
  // Numbers, texts, constants of enumerations, lengths of arrays and own objects are worth
  // computing.
  static const std::set<std::string> values = {
      "java/lang/String", "java/lang/Integer",   "java/lang/Long", "java/lang/Boolean",
      "java/lang/Byte",   "java/lang/Character", "java/lang/Short"};
  return type.letter == 'L' && !values.contains(type.name) && !is_enum(type.name) &&
         !is_own(type.name);
}

Term StateSpace::receiver_term(std::size_t receiver) {
  const JavaStateKey key{JavaStateKey::Kind::Receiver, receiver, "", ""};
  if (const auto known = state_.find(key); known != state_.end()) return known->second;
  add_state(receivers_[receiver].name, Type{.sort = arena.ref_sort()}, nullptr, false);
  return state_[key] = module.state.back().term;
}

} // namespace tacit::java
