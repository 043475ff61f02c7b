#include "frontend/java/context.h"

#include <algorithm>

#include "base/should.h"
#include "frontend/java/instructions.h"
#include "program/ir/defaults.h"
#include "program/ir/names.h"

namespace tacit::java {

namespace {

std::string outermost(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  const std::size_t dollar = name.find('$', slash == std::string::npos ? 1 : slash + 2);
  return name.substr(0, dollar);
}

constexpr std::string_view object_class = "java/lang/Object";

} // namespace

Context::Context(ClassPool& classes, const ClassFile& type, const LowerOptions& how,
                 const Discoveries& known, const Contracts* contracts)
    : pool(classes), arena(*module.arena), options(how), discovered(known), library(contracts),
      type_(type) {
  module.name = unpackaged(type.name);
  module.set_language("java");
  Receiver self{&type, {}, "", "this"};
  if (auto chain = pool.ancestry(type))
    self.chain = *chain;
  else
    self.chain = {&type};
  receivers_.push_back(std::move(self));
  for (const std::string& name : discovered.exceptions) {
    const ClassFile* file = pool.find(name);
    std::string parent = file ? file->super : "java/lang/Throwable";
    if (name == "java/lang/Throwable" || !discovered.exceptions.contains(parent)) parent.clear();
    module.exceptions.push_back({dotted(name), dotted(parent), {}});
  }
  EnumDecl decl{"exception", {}};
  for (std::size_t i = 0; i < module.exceptions.size(); ++i)
    decl.values.push_back({module.exceptions[i].name, static_cast<Integer>(i)});
  if (!decl.values.empty()) module.exception_sort = arena.enum_sort(std::move(decl));
  find_own();
  reserve_names();
}

void Context::find_own() {
  std::set<std::string> enclosing{type_.name};
  for (std::string at = type_.name; at.find('$') != std::string::npos;) {
    at = at.substr(0, at.rfind('$'));
    enclosing.insert(at);
  }
  const std::string host = type_.nest_host.empty() ? outermost(type_.name) : type_.nest_host;
  std::vector<std::string> nest{host};
  if (const ClassFile* file = pool.find(host)) {
    nest.insert(nest.end(), file->nest.begin(), file->nest.end());
    for (const std::string& inner : file->inner)
      if (outermost(inner) == host) nest.push_back(inner);
  }
  own_.insert(nest.begin(), nest.end());
  for (const std::string& name : enclosing)
    if (const ClassFile* file = pool.find(name))
      if (auto chain = pool.ancestry(*file))
        for (const ClassFile* one : *chain) own_.insert(one->name);
  own_.insert(type_.name);
  add_package();
  own_.erase(std::string(object_class));
}

/// Classes of the package that nobody outside can name, as far as own code mentions them.
void Context::add_package() {
  const auto package = [](const std::string& name) { return name.substr(0, name.rfind('/') + 1); };
  const std::string mine = type_.name.find('/') == std::string::npos ? "" : package(type_.name);
  std::vector<std::string> work(own_.begin(), own_.end());
  for (std::size_t i = 0; i < work.size(); ++i) {
    const ClassFile* file = pool.find(work[i]);
    for (unsigned k = 0; file && k < file->pool.size(); ++k) {
      const auto name = file->class_at(k);
      if (!name || name->empty() || (*name)[0] == '[' || own_.contains(*name)) continue;
      const std::string there = name->find('/') == std::string::npos ? "" : package(*name);
      if (there != mine) continue;
      const ClassFile* outer = pool.find(outermost(*name));
      if (!outer || outer->is(access::is_public) || is_outside(*name)) continue;
      own_.insert(*name);
      work.push_back(*name);
    }
  }
}

bool Context::named_own(const std::string& name) const {
  return std::ranges::any_of(options.own, [&](const std::string& pattern) {
    return matches_wildcard(pattern, dotted(name)) || matches_wildcard(pattern, unpackaged(name));
  });
}

bool Context::is_own(const std::string& name) const {
  return own_.contains(name) || named_own(name);
}

bool Context::is_outside(const std::string& name) const {
  return library && !own_.contains(name) && !named_own(name) &&
         std::ranges::any_of(pool.ancestors(name), [&](const std::string& one) {
           return library->class_has(Attribute::Outside, dotted(one));
         });
}

bool Context::outranked(const ClassFile& owner, const Method& method) const {
  if (!given || given->empty() || owner.name == type_.name || named_own(owner.name)) return false;
  const auto signature = parse_signature(method.descriptor);
  const std::string shown = method.name == "<init>" ? "new" : method.name;
  return signature && !given->named(dotted(owner.name) + "." + shown + signature->simple()).empty();
}

/// Names of fields are state or may become it: no local may bear one.
void Context::reserve_names() {
  for (const ClassFile* one : receivers_[0].chain)
    for (const Field& field : one->fields) reserved_.insert(field.name);
  reserved_.insert({"this", "this$0", "this$1", "this$2", "this$3", "result"});
}

std::string Context::free_name(const std::set<std::string>& taken,
                               const std::string& wanted) const {
  if (!taken.contains(wanted)) return wanted;
  for (std::size_t i = 2;; ++i)
    if (const std::string name = fmt::format("{}~{}", wanted, i); !taken.contains(name))
      return name;
}

std::string Context::class_label(const std::string& internal) {
  if (const auto known = labels_.find(internal); known != labels_.end()) return known->second;
  std::string label = internal[0] == '[' ? class_type(internal).simple() : unpackaged(internal);
  if (!label_names_.insert(label).second) {
    label = dotted(internal);
    label_names_.insert(label);
  }
  return labels_[internal] = label;
}

// --- types

bool Context::is_enum(const std::string& name) {
  const ClassFile* file = pool.find(name);
  return file && file->is(access::is_enum) && file->super == "java/lang/Enum";
}

Sort Context::enum_sort(const std::string& name) {
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

Type Context::machine_type(Kind kind) {
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

Type Context::type_of(const JavaType& type) {
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

Kind Context::kind_of(const JavaType& type) {
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

// --- exceptions

void Context::declare_exception(const std::string& name) {
  std::set<std::string> seen;
  for (std::string at = name; !at.empty() && at != object_class && seen.insert(at).second;) {
    if (discovered.exceptions.insert(at).second) again = true;
    const ClassFile* file = pool.find(at);
    if (!file && at != "java/lang/Throwable")
      assume(fmt::format("the class {} is not known; it is taken for a Throwable", dotted(at)));
    at = file ? file->super : at == "java/lang/Throwable" ? "" : "java/lang/Throwable";
  }
}

Term Context::exception(const std::string& name) {
  if (const auto index = module.find_exception(dotted(name)))
    return arena.enumerator(module.exception_sort, *index);
  declare_exception(name);
  // This round's result is thrown away; any term of a sort will do.
  return arena.enumerator(arena.enum_sort({"not yet declared", {{"missing", 0}}}), 0);
}

Term Context::is_exception(Term value, const std::string& name) {
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

Type Context::exception_type() const {
  if (module.exception_sort) return {.sort = module.exception_sort};
  return {.sort = arena.enum_sort({"not yet declared", {{"missing", 0}}})};
}

// --- state

void Context::add_state(const std::string& wanted, const Type& type, Term initial, bool client) {
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

std::vector<std::size_t> Context::receivers_with(const ClassFile& owner) const {
  std::vector<std::size_t> found;
  for (std::size_t r = 0; r < receivers_.size(); ++r)
    if (std::ranges::find(receivers_[r].chain, &owner) != receivers_[r].chain.end())
      found.push_back(r);
  return found;
}

Term Context::field(std::size_t receiver, const ClassFile& owner, const Field& field) {
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

std::vector<Term> Context::native_fields(std::size_t receiver) {
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

/// Private and package-private fields are assigned by classes of the package only; the nest is
/// looked at.
bool Context::assigned(const ClassFile& owner, const Field& field, bool constructors_too) {
  for (const std::string& name : own_) {
    const ClassFile* file = pool.find(name);
    if (!file) continue;
    for (const Method& m : file->methods) {
      if (!m.code || (m.name == "<init>" && file == &owner && !constructors_too)) continue;
      const auto graph = decode(*m.code, source_of(*file));
      if (!graph) return true;
      for (const Instruction& i : graph->instructions) {
        if (i.op != 0xb5) continue;
        const auto target = file->member_at(static_cast<unsigned>(i.operand));
        if (target && target->name == field.name &&
            pool.find_field(target->owner, target->name).field == &field)
          return true;
      }
    }
  }
  return false;
}

Term Context::field_like(std::size_t receiver, const StateVariable& map) {
  const auto type = record_class_.find(map.record);
  should(type != record_class_.end(), "a record of objects should have a class");
  const Field* found = type->second->find_field(map.name().substr(map.record.size() + 1));
  should(found != nullptr, "a map of a record should be one of a field");
  return field(receiver, *type->second, *found);
}

void Context::keep_component() {
  if (options.client_of.empty()) return;
  need_record("component");
  for (const auto& [name, kept] : options.kept) {
    Type value{.sort = kept == LowerOptions::Kept::Number  ? arena.int_sort()
                       : kept == LowerOptions::Kept::Truth ? arena.bool_sort()
                                                           : arena.ref_sort()};
    Type type{.sort = arena.map_sort(arena.ref_sort(), value.sort)};
    type.key = std::make_shared<Type>(Type{.sort = arena.ref_sort(), .record = "component"});
    type.value = std::make_shared<Type>(value);
    for (Record& r : module.records)
      if (r.name == "component") r.fields.emplace_back(name, value);
    add_state("component." + name, type, nullptr, false);
    module.state.back().record = "component";
    kept_.push_back(module.state.back().term);
  }
  add_state("component.handed", {.sort = arena.ref_sort()}, arena.null(), false);
  handed_ = module.state.back().term;
}

bool Context::may_be_component(const JavaType& type) {
  if (kept_.empty() || !type.is_reference()) return false;
  if (type.letter == '[') {
    const auto element = type.name.find_first_not_of('[');
    return type.name[element] == 'L'; // what is in it is not followed
  }
  std::string component = options.client_of;
  std::ranges::replace(component, '.', '/');
  return pool.is_subtype(component, type.name) || pool.is_subtype(type.name, component);
}

bool Context::leads_to_code(const JavaType& type) {
  if (may_be_component(type)) return true;
  if (kept_.empty() || type.letter != 'L') return false;
  const ClassFile* file = pool.find(type.name);
  // What others wrote, and containers (`Optional`), may lead to objects.
  return !file || file->is(access::is_interface) || is_own(type.name) ||
         !type.name.starts_with("java/") || type.name.starts_with("java/util/");
}

void Context::need_record(const std::string& name) {
  for (const Record& r : module.records)
    if (r.name == name) return;
  module.records.push_back({name, {}});
}

std::string Context::record_of(const ClassFile& file) {
  std::string name = class_label(file.name);
  if (is_enum(file.name)) name += "~object"; // the plain name is the enumeration
  need_record(name);
  record_class_[name] = &file;
  return name;
}

std::vector<std::string> Context::record_chain(const std::string& record) {
  std::vector<std::string> names;
  const auto found = record_class_.find(record);
  if (found == record_class_.end()) return names;
  if (auto chain = pool.ancestry(*found->second))
    for (const ClassFile* one : *chain)
      if (const auto label = labels_.find(one->name); label != labels_.end())
        names.push_back(is_enum(one->name) ? label->second + "~object" : label->second);
  return names;
}

Term Context::field_map(const ClassFile& owner, const Field& field) {
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

Term Context::object_value(const std::string& record, const std::string& field) {
  return object_value(record, field, Type{.sort = arena.int_sort()});
}

Term Context::string_fact(const std::string& question) {
  if (discovered.text_questions.insert(question).second) again = true;
  const std::string_view last = std::string_view(question).substr(
      question.find("().") == std::string::npos ? 0 : question.rfind("().") + 3);
  Type type{.sort = arena.bool_sort()};
  if (last == "length") type = {.sort = arena.int_sort(), .low = 0};
  if (last == "text") type = {.sort = arena.int_sort()};
  if (last.starts_with("indexOf(") || last.starts_with("lastIndexOf("))
    type = {.sort = arena.int_sort(), .low = -1};
  if (last.starts_with("charAt(")) type = type_of({'C', ""});
  return object_value("String", question, type);
}

std::string Context::string_content(Integer number) const {
  for (const auto& [content, known] : strings_)
    if (known == number) return content;
  return "";
}

Term Context::object_value(const std::string& record, const std::string& field, const Type& value) {
  const JavaStateKey key{JavaStateKey::Kind::Value, 0, record, field};
  if (const auto known = state_.find(key); known != state_.end()) return known->second;
  need_record(record);
  for (Record& r : module.records)
    if (r.name == record) r.fields.emplace_back(field, value);
  Type type{.sort = arena.map_sort(arena.ref_sort(), value.sort)};
  type.key = std::make_shared<Type>(Type{.sort = arena.ref_sort(), .record = record});
  type.value = std::make_shared<Type>(value);
  add_state(record + "." + field, type, nullptr, false);
  module.state.back().record = record;
  return state_[key] = module.state.back().term;
}

Sort Context::class_sort() {
  if (class_sort_) return class_sort_;
  EnumDecl decl{"class", {}};
  std::set<std::string> taken = reserved_;
  for (const Exception& e : module.exceptions) taken.insert(e.name);
  const auto add = [&](const std::string& wanted) {
    taken.insert(enum_names_.begin(), enum_names_.end());
    decl.values.push_back({free_name(taken, wanted), static_cast<Integer>(decl.values.size())});
    enum_names_.insert(decl.values.back().name);
  };
  std::vector<std::string> classes;
  add("another_class");
  for (const std::string& name : discovered.made) {
    if (!is_own(name) || pool.is_throwable(name) || is_enum(name)) continue;
    add(name.substr(name.find_last_of("/$") + 1));
    classes.push_back(name);
  }
  class_sort_ = arena.enum_sort(std::move(decl));
  module.enums.push_back(class_sort_);
  for (std::size_t i = 0; i < classes.size(); ++i)
    class_constants_[classes[i]] = arena.enumerator(class_sort_, i + 1);
  return class_sort_;
}

Term Context::class_constant(const std::string& name) {
  class_sort();
  const auto found = class_constants_.find(name);
  return found == class_constants_.end() ? nullptr : found->second;
}

Term Context::class_of_objects() {
  if (!discovered.asks_class) discovered.asks_class = again = true;
  const bool is_new = !state_.contains({JavaStateKey::Kind::Value, 0, "object", "class"});
  const Term map = object_value("object", "class", {.sort = class_sort()});
  if (is_new) hidden_statics_.emplace_back(map, false);
  return map;
}

Term Context::with_class(Term object, const std::string& name) {
  makes(name);
  const Term is = class_constant(name);
  if (!is) again = true; // known in the next round
  return is ? arena.store(class_of_objects(), object, is) : class_of_objects();
}

bool Context::knows_classes(const std::string& type) {
  if (!is_own(type) || is_open(type)) return false;
  return std::ranges::all_of(own_, [&](const std::string& name) {
    const ClassFile* file = pool.is_subtype(name, type) ? pool.find(name) : nullptr;
    return !file || file->is(access::is_interface | access::is_abstract) ||
           class_constant(name) != nullptr;
  });
}

std::vector<Term> Context::held_values() const {
  std::vector<Term> found;
  for (const auto& [key, map] : state_)
    if (key.kind == JavaStateKey::Kind::Value) found.push_back(map);
  return found;
}

Integer Context::string_number(const std::string& content) {
  if (const auto known = strings_.find(content); known != strings_.end()) return known->second;
  std::uint32_t hash = 0;
  for (std::size_t i = 0; i < content.size();) {
    const auto lead = static_cast<unsigned char>(content[i++]);
    std::uint32_t point = lead;
    if (lead >= 0xc0) {
      const int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
      point = lead & (0x3fu >> more);
      for (int k = 0; k < more && i < content.size(); ++k)
        point = point << 6 | (static_cast<unsigned char>(content[i++]) & 0x3fu);
    }
    if (point >= 0x10000) {
      hash = hash * 31 + (0xd800 + ((point - 0x10000) >> 10));
      point = 0xdc00 + ((point - 0x10000) & 0x3ff);
    }
    hash = hash * 31 + point;
  }
  Integer number = static_cast<std::int32_t>(hash);
  // Another string with the same hash code.
  while (std::ranges::any_of(strings_, [&](const auto& one) { return one.second == number; }))
    number += Integer{1} << 32;
  if (number != static_cast<std::int32_t>(hash) && !discovered.equal_hashes)
    discovered.equal_hashes = again = true;
  module.add_literal(content, number);
  return strings_[content] = number;
}

Term Context::array_length() {
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

Term Context::static_field(const std::string& owner, const std::string& name, const JavaType& type,
                           bool followed) {
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

void Context::hide_statics(const std::string& owner) {
  for (const auto& [key, field] : state_)
    if (key.kind == JavaStateKey::Kind::Static && key.owner == owner)
      hidden_statics_.emplace_back(field, false);
}

bool Context::is_library_constant(const std::string& owner, const std::string& name) {
  constexpr unsigned wanted = access::is_public | access::is_static | access::is_final;
  const ClassFile* file = owner.starts_with("java/") && !is_own(owner) ? pool.find(owner) : nullptr;
  const Field* field = file ? file->find_field(name) : nullptr;
  return field && (field->flags & wanted) == wanted;
}

bool Context::is_fixed(const std::string& owner, const Field* field, const JavaType& type) {
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

/// Whether the class initialiser sets the field once, to an object that it has just made.
bool Context::set_to_object(const std::string& owner, const std::string& name) {
  const ClassFile* file = pool.find(owner);
  const Field* field = file ? file->find_field(name) : nullptr;
  const Method* init = file ? file->find_method("<clinit>", "()V") : nullptr;
  if (!field || !(field->flags & access::is_final) || !init || !init->code) return false;
  const auto graph = decode(*init->code, source_of(*file));
  if (!graph) return false;
  std::size_t stores = 0;
  for (const CodeBlock& block : graph->blocks)
    for (std::uint32_t i = block.first; i < block.end; ++i) {
      const Instruction& store = graph->instructions[i];
      if (store.op != 0xb3) continue;
      const auto target = file->member_at(static_cast<unsigned>(store.operand));
      if (!target || target->name != name || target->owner != owner) continue;
      if (++stores > 1 || i == block.first) return false;
      // A constructor leaves the new object below it.
      const Instruction& before = graph->instructions[i - 1];
      const auto made =
          before.op == 0xb7 ? file->member_at(static_cast<unsigned>(before.operand)) : std::nullopt;
      if (!made || made->name != "<init>") return false;
    }
  return stores == 1;
}

Term Context::receiver_term(std::size_t receiver) {
  const JavaStateKey key{JavaStateKey::Kind::Receiver, receiver, "", ""};
  if (const auto known = state_.find(key); known != state_.end()) return known->second;
  add_state(receivers_[receiver].name, Type{.sort = arena.ref_sort()}, nullptr, false);
  return state_[key] = module.state.back().term;
}

namespace {
bool is_outer_link(const Field& field) {
  constexpr unsigned wanted = access::is_synthetic | access::is_final;
  return field.name.starts_with("this$") && (field.flags & wanted) == wanted;
}
} // namespace

std::optional<std::size_t> Context::outer(std::size_t receiver, const ClassFile& owner,
                                          const Field& field) {
  if (!is_outer_link(field) || discovered.unflattened.contains(owner.name)) return std::nullopt;
  const auto type = parse_type(field.descriptor);
  if (!type || type->letter != 'L') return std::nullopt;
  // A superclass that is nested in the same class has a link of its own to the same object; that
  // this is so is checked where constructors hand it on.
  const std::string key = fmt::format("{} {}", receiver, type->name);
  if (const auto known = outers_.find(key); known != outers_.end()) return known->second;
  const ClassFile* file = pool.find(type->name);
  if (!file) return std::nullopt;
  Receiver made{file, {file}, "", ""};
  if (auto chain = pool.ancestry(*file)) made.chain = *chain;
  std::set<std::string> taken;
  for (const Receiver& r : receivers_) taken.insert(r.name);
  made.name =
      free_name(taken, receiver == 0 ? field.name : receivers_[receiver].name + "." + field.name);
  made.prefix = made.name + ".";
  receivers_.push_back(std::move(made));
  return outers_[key] = receivers_.size() - 1;
}

std::optional<std::size_t> Context::outer_parameter(std::size_t receiver, const ClassFile& owner,
                                                    const Signature& signature) {
  if (signature.parameters.empty() || signature.parameters[0].letter != 'L') return std::nullopt;
  for (const Field& field : owner.fields)
    if (is_outer_link(field) && field.descriptor == "L" + signature.parameters[0].name + ";")
      return outer(receiver, owner, field);
  return std::nullopt;
}

bool Context::never_null(std::size_t receiver, const ClassFile& owner, const Field& field) const {
  const HeldField* held = held_field(field);
  if (held && !held->never_null && !held->set_once) return false;
  return receiver == 0 && (held || (field.flags & access::is_final)) &&
         !discovered.nullable.contains(owner.name + " " + field.name);
}

std::optional<std::string> Context::handled_field(const std::string& owner,
                                                  const std::string& name) {
  const ClassFile* file = pool.find(owner);
  const Method* init = file ? file->find_method("<clinit>", "()V") : nullptr;
  if (!init || !init->code) return std::nullopt;
  const auto graph = decode(*init->code, source_of(*file));
  if (!graph) return std::nullopt;
  std::string last_text, found, handled;
  std::size_t stores = 0;
  bool made = false;
  for (const Instruction& i : graph->instructions) {
    const auto index = static_cast<unsigned>(i.operand);
    if ((i.op == 0x12 || i.op == 0x13) && index < file->pool.size() &&
        file->pool[index].tag == ConstantTag::String) {
      const unsigned text = file->pool[index].first;
      if (text < file->pool.size()) last_text = file->pool[text].text;
    }
    if (i.op == 0xb6 || i.op == 0xb8 || i.op == 0xb9) {
      const auto callee = file->member_at(index);
      made = callee && (callee->name == "findVarHandle" || callee->name == "newUpdater");
      if (made) found = last_text;
    }
    if (i.op != 0xb3) continue;
    const auto target = file->member_at(index);
    if (!target || target->name != name || target->owner != owner) continue;
    ++stores;
    if (!made) return std::nullopt;
    if (!file->find_field(found)) return std::nullopt;
    handled = found;
  }
  if (stores != 1) return std::nullopt;
  return handled;
}

// --- callees

std::string Context::procedure_key(const ClassFile& owner, const Method& method, int receiver) {
  return fmt::format("{} {}{} {}", owner.name, method.name, method.descriptor, receiver);
}

std::string Context::procedure(const ClassFile& owner, const Method& method, int receiver,
                               bool apart) {
  const std::string key = procedure_key(owner, method, receiver) + (apart ? " apart" : "");
  if (const auto known = procedures_.find(key); known != procedures_.end()) return known->second;
  const auto signature = parse_signature(method.descriptor);
  std::string spelled = method.name;
  std::size_t overloads = 0;
  for (const Method& m : owner.methods) overloads += m.name == method.name;
  if (overloads > 1 && signature) spelled += signature->simple();
  std::string wanted = class_label(owner.name) + "." + spelled;
  const std::string name = free_name(procedure_names_, wanted);
  procedure_names_.insert(name);
  procedures_[key] = name;
  work_.push_back(
      {&owner, &method, receiver, ProcedureKind::Internal, name, spelled, nullptr, key});
  return name;
}

void Context::add_root(Body body) {
  body.key = procedure_key(*body.owner, *body.method, body.receiver);
  if (body.kind == ProcedureKind::Method) {
    // Calls on the receiver mean the method itself.
    procedures_[procedure_key(*body.owner, *body.method, body.receiver)] = body.name;
    methods_.insert(procedure_key(*body.owner, *body.method, body.receiver));
    procedure_names_.insert(body.name);
  }
  work_.push_back(std::move(body));
}

bool Context::next_body(Body& body) {
  if (done_ == work_.size()) return false;
  body = work_[done_++];
  return true;
}

/// Those of the exceptions that handlers tell apart which the callee may fail with.
std::set<std::string> Context::failures(const Opaque& callee, const std::set<std::string>& caught) {
  std::set<std::string> found;
  for (const std::string& type : caught) {
    const bool unchecked = pool.is_subtype(type, "java/lang/RuntimeException") ||
                           pool.is_subtype(type, "java/lang/Error");
    bool declared = false;
    if (callee.method)
      for (const std::string& t : callee.method->throws) declared |= pool.is_subtype(type, t);
    // What catches all exceptions but lets errors pass tells these two apart.
    if (type == "java/lang/RuntimeException" || type == "java/lang/Exception")
      found.insert("java/lang/Error");
    else if (unchecked || declared)
      found.insert(type);
  }
  return found;
}

std::string Context::opaque(const Opaque& callee, const std::set<std::string>& caught) {
  const std::set<std::string> also = failures(callee, caught);
  std::string key = callee.owner + " " + callee.name + callee.descriptor +
                    (callee.with_receiver ? "" : " static") + (callee.brought ? " brought" : "") +
                    (callee.fills ? " fills" : "");
  std::string places; // what tells calls on different library objects apart
  for (const auto& [parameter, held] : callee.held) {
    key += fmt::format(" {} {}", parameter, held_name(held));
    places += "@" + held_name(held);
  }
  for (const std::string& type : also) key += " " + type;
  const auto signature = parse_signature(callee.descriptor);
  should(signature.has_value(), "a callee's descriptor should have been checked");
  std::string& name = extern_names_[key];
  if (name.empty()) {
    std::string shown = callee.name == "<init>" ? "new" : callee.name;
    name = free_name(procedure_names_,
                     class_label(callee.owner) + "." + shown + signature->simple() + places);
    procedure_names_.insert(name);
    Procedure made;
    made.name = name;
    made.kind = ProcedureKind::Extern;
    if (!brings(callee)) made.origin = Origin::Unknown;
    made.shown = unpackaged(callee.owner) + "." + shown + signature->simple();
    if (made.shown == name) made.shown.clear();
    if (const auto self = callee.held.find(0); self != callee.held.end() && callee.with_receiver)
      made.object = held_name(self->second);
    if (callee.with_receiver)
      made.parameters.push_back(
          {arena.var("object", arena.ref_sort()), {.sort = arena.ref_sort()}});
    for (std::size_t i = 0; i < signature->parameters.size(); ++i) {
      const auto typed = callee.typed.find(i);
      const Type type =
          typed == callee.typed.end() ? type_of(signature->parameters[i]) : typed->second;
      made.parameters.push_back({arena.var(fmt::format("a{}", i + 1), type.sort), type});
    }
    if (signature->result.letter != 'V') made.returns = type_of(signature->result);
    if (callee.returns) made.returns = callee.returns;
    if (callee.name == "<init>") made.returns.reset();
    made.throws.push_back("java.lang.RuntimeException");
    declare_exception("java/lang/RuntimeException");
    if (callee.method) {
      for (const std::string& type : callee.method->throws) {
        declare_exception(type);
        if (std::ranges::find(made.throws, dotted(type)) == made.throws.end())
          made.throws.push_back(dotted(type));
      }
    } else {
      declare_exception("java/lang/Exception");
      made.throws.emplace_back("java.lang.Exception");
    }
    for (const std::string& type : also) {
      declare_exception(type);
      if (std::ranges::find(made.throws, dotted(type)) == made.throws.end())
        made.throws.push_back(dotted(type));
    }
    module.procedures.push_back(std::move(made));
    externs_[name] = callee;
  }
  Opaque& entry = externs_[name];
  entry.gets_component |= callee.gets_component;
  entry.may_run_code |= callee.may_run_code;
  entry.writes_all |= callee.writes_all;
  return name;
}

std::string Context::source_of(const ClassFile& file) {
  if (file.source.empty()) return unpackaged(file.name) + ".class";
  std::string name = file.source;
  for (char& c : name)
    if (c == '"' || c == '\\' || c == '\n') c = '_';
  return name;
}

} // namespace tacit::java
