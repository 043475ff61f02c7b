// Looking things up in collections and arrays whose contents stand in the code (tables.h): what
// comes out is decided by what the key is.
#include <algorithm>
#include <utility>

#include "frontend/java/body_values.h"
#include "frontend/java/lambda_harm.h"
#include "program/ir/defaults.h"

namespace tacit::java {

/// `$SwitchMap$E[e.ordinal()]`
Term BodyValues::switch_table(const FieldName& table, Term index) {
  const auto numbers = switch_numbers(context_.pool, table.owner, table.name);
  const Term value = index->op == Op::ToInt ? index->args[0] : nullptr;
  if (!numbers || !value) {
    approximate("a switch over an enumeration could not be read");
    return havoc("case", context_.machine_type(Kind::Int), Chooser::Unknown);
  }
  Term result = arena_.integer(0);
  for (const auto& [constant, number] : *numbers)
    if (constant < value->sort->decl->values.size())
      result = arena_.ite(arena_.eq(value, arena_.enumerator(value->sort, constant)),
                          arena_.integer(number), result);
  return result;
}

void BodyValues::push_table(const std::string& type, TableView view, Term absent) {
  JavaValue value = object(type);
  value.table = std::make_shared<const TableView>(std::move(view));
  value.nonnull = absent == nullptr;
  value.absent = absent;
  value.element = true;
  push(std::move(value));
}

FixedValue BodyValues::fixed(const JavaValue& value) const {
  using K = FixedValue::Kind;
  if (value.kind == Kind::Enumeration && value.term && value.term->op == Op::EnumConst) {
    const auto index = static_cast<std::size_t>(value.term->number);
    if (index == 0) return {.kind = K::Null};
    return {.kind = K::Constant, .type = value.type, .index = index};
  }
  if (value.kind != Kind::Reference || value.receiver >= 0 || value.held) return {};
  if (value.type == "null") return {.kind = K::Null};
  if (value.lazy == 0) return {};
  if (value.text)
    return {.kind = K::Text, .type = value.type, .text = context_.string_content(*value.text)};
  if (value.code && value.code->op == Op::IntConst && Context::is_number_box(value.type))
    return {.kind = K::Number, .type = value.type, .number = value.code->number};
  return {};
}

/// `Set.of(A, B)` of constants: nothing has to be known of the object besides what it holds.
bool BodyValues::make_table(const MemberRef& callee, const Signature& signature,
                            const std::vector<JavaValue>& arguments) {
  if (!callee.owner.starts_with("java/util/") || signature.result.letter != 'L') return false;
  std::vector<FixedValue> values;
  for (const JavaValue& argument : arguments) values.push_back(fixed(argument));
  for (const FixedValue& value : values)
    if (!value.is_key()) return false;
  const FixedValue made = made_table(context_.pool, callee, values);
  if (made.kind != FixedValue::Kind::Table || !made.table->known) return false;
  push_table(signature.result.name, {{{arena_.truth(), made.table}}, ""}, nullptr);
  return true;
}

/// A method of an enumeration that gives each constant a table of its own.
bool BodyValues::table_by_constant(const MemberRef& callee, const Signature& signature,
                                   JavaValue& object,
                                   const std::map<std::string, std::string>& classes) {
  static const std::set<std::string> collections = {"java/util/Set", "java/util/List",
                                                    "java/util/Collection", "java/util/EnumSet",
                                                    "java/util/Map"};
  if (!signature.parameters.empty() || !collections.contains(signature.result.name)) return false;
  const ClassFile* file = context_.pool.find(object.type);
  if (!file || classes.empty()) return false;
  std::vector<FixedValue> tables;
  for (const Field& f : file->fields) {
    if (!(f.flags & access::is_enum)) continue;
    const auto type = classes.find(f.name);
    if (type == classes.end()) return false;
    const auto found = context_.pool.find_method(type->second, callee.name, callee.descriptor);
    if (!found.method || !context_.is_own(found.owner->name)) return false;
    tables.push_back(returned_table(
        context_.pool, *found.owner, *found.method,
        {.kind = FixedValue::Kind::Constant, .type = object.type, .index = tables.size() + 1}));
    if (tables.back().kind != FixedValue::Kind::Table) return false;
  }
  if (tables.empty()) return false;
  null_check(object);
  if (dead_) return true;
  const Term self = temporary("constant", {.sort = object.term->sort});
  assign(self, object.term);
  TableView view;
  for (std::size_t k = 0; k < tables.size(); ++k)
    view.cases.emplace_back(arena_.eq(self, arena_.enumerator(self->sort, k + 1)), tables[k].table);
  push_table(signature.result.name, std::move(view), nullptr);
  return true;
}

/// What a key says, in a local; nothing where it is not of the class of the keys.
std::optional<Term> BodyValues::table_key(JavaValue& value, const TableView& view) {
  for (const auto& [when, table] : view.cases) {
    if (!table->known) return std::nullopt;
    for (const auto& [key, nothing] : table->entries) {
      const bool fits = key.kind == FixedValue::Kind::Constant
                            ? value.kind == Kind::Enumeration && context_.is_enum(key.type)
                            : value.kind == Kind::Reference && value.receiver < 0 && !value.held;
      if (!key.is_key() || (value.type != "null" && (!fits || value.type != key.type)))
        return std::nullopt;
    }
  }
  const bool constant = value.kind == Kind::Enumeration;
  if (!constant && value.type != "null" && value.type != "java/lang/String" &&
      !Context::is_number_box(value.type))
    return arena_.integer(0); // all are empty
  const Term key =
      temporary("key", {.sort = constant ? context_.enum_sort(value.type) : arena_.int_sort()});
  assign(key, constant ? value.term : code_of(value));
  return key;
}

Term BodyValues::key_is(Term key, const FixedValue& fixed) {
  switch (fixed.kind) {
  case FixedValue::Kind::Constant:
    if (key->sort->kind != SortKind::Enum) return arena_.falsehood(); // null
    return arena_.eq(key, arena_.enumerator(key->sort, fixed.index));
  case FixedValue::Kind::Text:
    return arena_.eq(key, arena_.integer(context_.string_number(fixed.text)));
  default: return arena_.eq(key, arena_.integer(fixed.number));
  }
}

Term BodyValues::table_size(const TableView& view) {
  Term size = arena_.integer(0);
  for (const auto& [when, table] : view.cases)
    size = arena_.ite(when, arena_.integer(Integer(table->entries.size())), size);
  return size;
}

/// The value whose condition holds; where none does, `otherwise` or null.
bool BodyValues::push_choice(const std::vector<Choice>& choices, const std::string& field,
                             const JavaValue* otherwise) {
  using K = FixedValue::Kind;
  K kind = K::Null;
  std::string type;
  std::vector<Term> any;
  for (const Choice& choice : choices) {
    any.push_back(choice.when);
    if (choice.value.kind == K::Null) continue;
    const bool same = kind == K::Null || (choice.value.kind == kind && choice.value.type == type);
    kind = same ? choice.value.kind : K::Object;
    type = same ? choice.value.type : "";
  }
  if (otherwise && otherwise->type == "null") otherwise = nullptr;
  JavaValue made{.kind = Kind::Reference, .element = true};
  if (kind == K::Constant && context_.is_enum(type)) {
    if (otherwise && (otherwise->kind != Kind::Enumeration || otherwise->type != type))
      return false;
    const Sort sort = context_.enum_sort(type);
    Term term = otherwise ? otherwise->term : context_.enum_null(type);
    for (const Choice& choice : choices)
      term = arena_.ite(choice.when, arena_.enumerator(sort, choice.value.index), term);
    made = {.kind = Kind::Enumeration, .term = term, .type = type, .element = true};
  } else if ((kind == K::Number && Context::is_number_box(type)) || kind == K::Text) {
    const FixedValue last = otherwise ? fixed(*otherwise) : FixedValue{.kind = K::Null};
    const auto code = [&](const FixedValue& value) {
      if (value.kind == K::Null) return context_.null_code();
      return arena_.integer(value.kind == K::Text ? context_.string_number(value.text)
                                                  : value.number);
    };
    if (last.kind != K::Null && (last.kind != kind || last.type != type)) return false;
    const Term number = temporary("value", {.sort = arena_.int_sort()});
    Term term = code(last);
    for (const Choice& choice : choices) term = arena_.ite(choice.when, code(choice.value), term);
    assign(number, term);
    made = coded(type, number);
    made.element = true;
  } else if (kind == K::Table || (kind == K::Null && otherwise && otherwise->table)) {
    if (otherwise && !otherwise->table) return false;
    TableView view{{}, field};
    const auto local = [&](Term term) {
      const Term copy = temporary("found", {.sort = arena_.bool_sort()});
      assign(copy, term);
      return copy;
    };
    for (const Choice& choice : choices) {
      if (choice.value.kind == K::Null) return false;
      if (!choice.value.table->known) return false;
      view.cases.emplace_back(local(choice.when), choice.value.table);
    }
    const Term none = local(arena_.negate(arena_.disj(any)));
    if (otherwise)
      for (const auto& [when, table] : otherwise->table->cases)
        view.cases.emplace_back(local(arena_.conj(none, when)), table);
    push_table("java/lang/Object", std::move(view), otherwise ? nullptr : none);
    return true;
  } else if (kind == K::Object && !otherwise) {
    for (const Choice& choice : choices)
      if (choice.value.kind == K::Null || choice.value.kind == K::Unknown ||
          choice.value.kind == K::Table)
        return false;
    made.term = havoc("value", {.sort = arena_.ref_sort()}, Chooser::Unknown);
    made.homemade = true;
    emit({.kind = StatementKind::Assume,
          .value = arena_.ne(arena_.eq(made.term, arena_.null()), arena_.disj(std::move(any)))});
  } else {
    return false;
  }
  push(std::move(made));
  return true;
}

/// A method of such a collection that only looks. False for others: then nothing is known of it.
bool BodyValues::call_table(const MemberRef& callee, std::vector<JavaValue>& arguments,
                            const JavaValue& object) {
  const TableView view = *object.table;
  const auto truth = [&](Term t) {
    push({.kind = Kind::Int,
          .term = arena_.ite(t, arena_.integer(1), arena_.integer(0)),
          .truth = true});
    return true;
  };
  for (const auto& [when, table] : view.cases)
    if (!table->known || table->kind != view.cases[0].second->kind) return false;
  const Table::Kind kind = view.cases.empty() ? Table::Kind::Set : view.cases[0].second->kind;
  if (callee.name == "isEmpty") return truth(arena_.eq(table_size(view), arena_.integer(0)));
  if (callee.name == "size") {
    push(Kind::Int, table_size(view));
    return true;
  }
  if (kind == Table::Kind::List && callee.name == "get") {
    const Term index = temporary("index", context_.machine_type(Kind::Int));
    assign(index, arguments[0].term);
    throw_if(arena_.disj(arena_.lt(index, arena_.integer(0)), arena_.ge(index, table_size(view))),
             "java/lang/IndexOutOfBoundsException");
    if (dead_) return true;
    std::vector<Choice> choices;
    for (const auto& [when, table] : view.cases)
      for (std::size_t k = 0; k < table->entries.size(); ++k)
        choices.push_back({arena_.conj(when, arena_.eq(index, arena_.integer(Integer(k)))),
                           table->entries[k].first});
    return push_choice(choices, view.field, nullptr);
  }
  const bool map = kind == Table::Kind::Map;
  const bool asks = map ? callee.name == "containsKey" : callee.name == "contains";
  const bool gets = map && (callee.name == "get" || callee.name == "getOrDefault");
  if ((!asks && !gets) || arguments.empty()) return false;
  const auto key = table_key(arguments[0], view);
  if (!key) return false;
  std::vector<Term> refusing;
  for (const auto& [when, table] : view.cases)
    if (table->refuses_nulls) refusing.push_back(when);
  throw_if(arena_.conj(arena_.disj(std::move(refusing)), is_null(arguments[0])),
           "java/lang/NullPointerException");
  if (dead_) return true;
  std::vector<Choice> choices;
  std::vector<Term> there;
  for (const auto& [when, table] : view.cases)
    for (const auto& [one, value] : table->entries) {
      choices.push_back({arena_.conj(when, key_is(*key, one)), value});
      there.push_back(choices.back().when);
    }
  if (asks) return truth(arena_.disj(std::move(there)));
  return push_choice(choices, view.field, arguments.size() > 1 ? &arguments[1] : nullptr);
}

/// An element of an array. False: nothing is known of it.
bool BodyValues::load_element(const JavaValue& array, Term index, const JavaType& type) {
  if (array.table->cases.size() != 1 || !array.table->cases[0].second->known) return false;
  const Table& table = *array.table->cases[0].second;
  const Kind kind = context_.kind_of(type);
  const bool numbers = kind == Kind::Int || kind == Kind::Long;
  if (!numbers && !type.is_reference()) return false;
  for (const auto& [element, nothing] : table.entries)
    if (numbers && element.kind != FixedValue::Kind::Number) return false;
  const Term at = temporary("index", context_.machine_type(Kind::Int));
  assign(at, index);
  const Term size = table_size(*array.table);
  throw_if(arena_.disj(arena_.lt(at, arena_.integer(0)), arena_.ge(at, size)),
           "java/lang/ArrayIndexOutOfBoundsException");
  if (dead_) return true;
  std::vector<Choice> choices;
  Term number = arena_.integer(0);
  for (std::size_t k = 0; k < table.entries.size(); ++k) {
    choices.push_back({arena_.eq(at, arena_.integer(Integer(k))), table.entries[k].first});
    if (numbers)
      number = arena_.ite(choices[k].when, arena_.integer(choices[k].value.number), number);
  }
  if (!numbers) return push_choice(choices, array.table->field, nullptr);
  push(kind, number);
  return true;
}

} // namespace tacit::java
