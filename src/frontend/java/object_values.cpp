// Objects by what they hold: texts, boxes, optionals, and of which class an object is.
#include <algorithm>

#include "base/should.h"
#include "frontend/java/contracts.h"
#include "frontend/java/instructions.h"
#include "frontend/java/state_space.h"
#include "program/contracts/instantiate.h"
#include "program/ir/defaults.h"
#include "program/ir/names.h"

namespace tacit::java {

void StateSpace::keep_component() {
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

Term StateSpace::object_value(const std::string& record, const std::string& field) {
  return object_value(record, field, Type{.sort = arena.int_sort()});
}

Term StateSpace::string_fact(const std::string& question) {
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

std::string StateSpace::string_content(Integer number) const {
  for (const auto& [content, known] : strings_)
    if (known == number) return content;
  return "";
}

Term StateSpace::object_value(const std::string& record, const std::string& field,
                              const Type& value) {
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

Sort StateSpace::class_sort() {
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

Term StateSpace::class_constant(const std::string& name) {
  class_sort();
  const auto found = class_constants_.find(name);
  return found == class_constants_.end() ? nullptr : found->second;
}

Term StateSpace::class_of_objects() {
  if (!discovered.asks_class) discovered.asks_class = again = true;
  const bool is_new = !state_.contains({JavaStateKey::Kind::Value, 0, "object", "class"});
  const Term map = object_value("object", "class", {.sort = class_sort()});
  if (is_new) hidden_statics_.emplace_back(map, false);
  return map;
}

Term StateSpace::with_class(Term object, const std::string& name) {
  makes(name);
  const Term is = class_constant(name);
  if (!is) again = true; // known in the next round
  return is ? arena.store(class_of_objects(), object, is) : class_of_objects();
}

bool StateSpace::knows_classes(const std::string& type) {
  if (!is_own(type) || is_open(type)) return false;
  return std::ranges::all_of(own_, [&](const std::string& name) {
    const ClassFile* file = pool.is_subtype(name, type) ? pool.find(name) : nullptr;
    return !file || file->is(access::is_interface | access::is_abstract) ||
           class_constant(name) != nullptr;
  });
}

std::vector<Term> StateSpace::held_values() const {
  std::vector<Term> found;
  for (const auto& [key, map] : state_)
    if (key.kind == JavaStateKey::Kind::Value) found.push_back(map);
  return found;
}

Integer StateSpace::string_number(const std::string& content) {
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

Term StateSpace::null_of(const Type& type) {
  if (type.sort == arena.int_sort()) return null_code();
  return type.sort == arena.ref_sort() ? arena.null() : arena.enumerator(type.sort, 0);
}

Term StateSpace::null_code() {
  // Below all numbers that boxes hold, and what texts are numbered by.
  return arena.integer(-(Integer{1} << 63) - 1);
}

bool StateSpace::may_be_component(const JavaType& type) {
  if (kept_.empty() || !type.is_reference()) return false;
  if (type.letter == '[') {
    const auto element = type.name.find_first_not_of('[');
    return type.name[element] == 'L'; // what is in it is not followed
  }
  std::string component = options.client_of;
  std::ranges::replace(component, '.', '/');
  return pool.is_subtype(component, type.name) || pool.is_subtype(type.name, component);
}

bool StateSpace::leads_to_code(const JavaType& type) {
  if (may_be_component(type)) return true;
  if (kept_.empty() || type.letter != 'L') return false;
  const ClassFile* file = pool.find(type.name);
  // What others wrote, and containers (`Optional`), may lead to objects.
  return !file || file->is(access::is_interface) || is_own(type.name) ||
         !type.name.starts_with("java/") || type.name.starts_with("java/util/");
}

} // namespace tacit::java
