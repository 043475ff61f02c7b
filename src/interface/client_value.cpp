#include "interface/client_value.h"

#include <algorithm>
#include <tuple>

#include <fmt/ranges.h>

#include "base/should.h"
#include "program/ir/text_facts.h"

namespace tacit {

using Held = ClientValue::Kind;

namespace {

ClientValue of_kind(Held kind, Integer number = 0, std::string text = {}) {
  ClientValue value;
  value.kind = kind;
  value.number = number;
  value.text = std::move(text);
  return value;
}

ClientValue truth_value(std::optional<bool> truth) {
  return truth ? boolean_value(*truth) : unknown_value();
}

bool one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

/// UTF-16 units of a UTF-8 text: one per character, two beyond the basic plane.
Integer utf16_units(std::string_view text) {
  Integer units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) != 0x80) units += byte >= 0xF0 ? 2 : 1;
  }
  return units;
}

/// Where the facts of texts are kept; their names may hold dots.
constexpr std::string_view kept_of_texts = "String.";

/// Texts are numbered by Java's hash codes; others that share one have larger numbers.
std::optional<bool> same_number(std::string_view text, Integer number) {
  if (number == 0) return text.empty();
  const Integer hash = text_hash(text);
  if (number == hash) return true;
  if ((number - hash) % (Integer{1} << 32) == 0) return std::nullopt;
  return false;
}

} // namespace

ClientValue unknown_value() { return {}; }
ClientValue boolean_value(bool truth) { return of_kind(Held::Bool, truth ? 1 : 0); }
ClientValue integer_value(Integer number) { return of_kind(Held::Int, number); }
ClientValue enum_value(std::size_t index) {
  return of_kind(Held::Enum, static_cast<Integer>(index));
}
ClientValue null_value() { return of_kind(Held::Null); }
ClientValue text_value(std::string contents, bool certain) {
  ClientValue value = of_kind(Held::Text, 0, std::move(contents));
  value.certain = certain;
  return value;
}
ClientValue object_value(std::string name, std::map<std::string, ClientValue> facts) {
  ClientValue value = of_kind(Held::Object, 0, std::move(name));
  value.facts = std::move(facts);
  return value;
}

namespace {

std::string array_text(const ClientArray& array, Sort sort) {
  const Sort key_sort = sort ? sort->key : nullptr, value_sort = sort ? sort->value : nullptr;
  std::vector<std::string> texts;
  std::vector<const ClientValue*> told;
  for (auto entry = array.entries.rbegin(); entry != array.entries.rend(); ++entry) {
    const auto same = [&](const ClientValue* key) { return identical(*key, entry->first); };
    if (std::ranges::any_of(told, same)) continue;
    told.push_back(&entry->first);
    const std::string key = to_string(entry->first, key_sort);
    if (entry->second.kind != Held::Bool)
      texts.push_back(key + ": " + to_string(entry->second, value_sort));
    else if (entry->second.number != 0)
      texts.push_back(key);
  }
  std::ranges::reverse(texts);
  if (!array.otherwise.known()) texts.emplace_back("…");
  return fmt::format("{{{}}}", fmt::join(texts, ", "));
}

} // namespace

std::string to_string(const ClientValue& value, Sort sort) {
  switch (value.kind) {
  case Held::Unknown: return "?";
  case Held::Bool: return value.number != 0 ? "true" : "false";
  case Held::Int: return to_string(value.number);
  case Held::Enum: {
    const auto index = static_cast<std::size_t>(value.number);
    const bool named = sort && sort->decl && index < sort->decl->values.size();
    return named ? sort->decl->values[index].name : to_string(value.number);
  }
  case Held::Null: return "null";
  case Held::Text: return value.certain ? "\"" + value.text + "\"" : value.text;
  case Held::Object: return value.text.empty() ? "an object" : value.text;
  case Held::Array: return array_text(*value.array, sort);
  }
  should_not_be_reached("a value should be of a known kind");
}

bool before(const ClientValue& a, const ClientValue& b) {
  const auto key = [](const ClientValue& v) {
    return std::tie(v.kind, v.number, v.text, v.certain);
  };
  if (key(a) != key(b)) return key(a) < key(b);
  const auto pair_before = [](const auto& x, const auto& y) {
    if (before(x.first, y.first)) return true;
    return !before(y.first, x.first) && before(x.second, y.second);
  };
  if (a.kind == Held::Object)
    return std::ranges::lexicographical_compare(a.facts, b.facts, [](const auto& x, const auto& y) {
      return x.first != y.first ? x.first < y.first : before(x.second, y.second);
    });
  if (a.kind != Held::Array) return false;
  if (before(a.array->otherwise, b.array->otherwise)) return true;
  if (before(b.array->otherwise, a.array->otherwise)) return false;
  return std::ranges::lexicographical_compare(a.array->entries, b.array->entries, pair_before);
}

bool identical(const ClientValue& a, const ClientValue& b) {
  return !before(a, b) && !before(b, a);
}

std::optional<bool> Judge::same(const ClientValue& a, const ClientValue& b, Sort sort) const {
  if (!a.known() || !b.known()) return std::nullopt;
  const bool reference = sort && sort->kind == SortKind::Ref;
  if (a.kind == Held::Null || b.kind == Held::Null) return a.kind == b.kind;
  if (a.kind == Held::Text && b.kind == Held::Text) {
    if (a.text != b.text) return false;
    return reference ? std::nullopt : std::optional(true);
  }
  if (a.kind == Held::Object && b.kind == Held::Object) {
    if (a.text.empty() || b.text.empty()) return std::nullopt;
    return a.text == b.text;
  }
  // A number that stands for a text.
  const ClientValue& text = a.kind == Held::Text ? a : b;
  const ClientValue& other = a.kind == Held::Text ? b : a;
  if (text.kind == Held::Text && other.kind == Held::Int) {
    if (!options_.texts) return same_number(text.text, other.number);
    const auto known = options_.texts->find(text.text);
    if (known != options_.texts->end()) return known->second == other.number;
    const auto is_it = [&](const auto& entry) { return entry.second == other.number; };
    return std::ranges::any_of(*options_.texts, is_it) ? std::optional(false) : std::nullopt;
  }
  if (a.kind == Held::Array && b.kind == Held::Array) {
    const bool by_contents = sort && sort->key && sort->key->kind != SortKind::Ref;
    return by_contents && identical(a, b) ? std::optional(true) : std::nullopt;
  }
  if (a.kind != b.kind) return std::nullopt;
  return a.number == b.number;
}

ClientValue Judge::fact(const ClientValue& object, std::string_view name) const {
  for (const std::string_view known : {name, any_fact})
    if (const auto own = object.facts.find(std::string(known)); own != object.facts.end())
      return own->second;
  if (one_of(name, {"set", "has_value", "engaged", "_M_engaged"})) {
    if (object.kind == Held::Null) return boolean_value(false);
    if (object.kind == Held::Object || object.kind == Held::Text) return boolean_value(true);
  }
  const bool size = one_of(name, {"size", "length", "count"});
  if (size)
    if (const auto own = object.facts.find("size"); own != object.facts.end()) return own->second;
  if (object.kind != Held::Text) return unknown_value();
  if (name == "text") return text_value(object.text);
  if (!object.certain) return unknown_value();
  if (const auto changed =
          options_.utf16 ? changed_text(object.text, name) : byte_changed_text(object.text, name))
    return text_value(*changed);
  if (!size) {
    const auto known =
        options_.utf16 ? text_fact(object.text, name) : byte_text_fact(object.text, name);
    return known ? integer_value(*known) : unknown_value();
  }
  return integer_value(options_.utf16 ? utf16_units(object.text)
                                      : static_cast<Integer>(object.text.size()));
}

ClientValue Judge::select(const ClientValue& map, const ClientValue& key, Sort sort) const {
  if (map.kind != Held::Array) return unknown_value();
  // Entries that may be the one have to agree with what follows.
  std::optional<ClientValue> maybe;
  const auto join = [&](const ClientValue& value) {
    return !maybe || identical(*maybe, value) ? value : unknown_value();
  };
  for (auto entry = map.array->entries.rbegin(); entry != map.array->entries.rend(); ++entry) {
    const auto is_it = same(entry->first, key, sort->key);
    if (is_it && !*is_it) continue;
    const ClientValue found = join(entry->second);
    if (is_it || !found.known()) return found;
    maybe = found;
  }
  return join(map.array->otherwise);
}

ClientValue Judge::arithmetic(Term term, const ClientValue& a, const ClientValue& b) const {
  if (a.kind != Held::Int || b.kind != Held::Int) return unknown_value();
  std::optional<Integer> result;
  switch (term->op) {
  case Op::Add: result = checked_add(a.number, b.number); break;
  case Op::Sub: result = checked_sub(a.number, b.number); break;
  case Op::Mul: result = checked_mul(a.number, b.number); break;
  case Op::Div: result = div_trunc(a.number, b.number); break;
  case Op::Mod: result = mod_trunc(a.number, b.number); break;
  default: break;
  }
  return result ? integer_value(*result) : unknown_value();
}

std::optional<bool> Judge::less(const ClientValue& a, const ClientValue& b, Sort sort,
                                bool or_equal) const {
  const auto number = [&](const ClientValue& v) -> std::optional<Integer> {
    if (v.kind == Held::Int) return v.number;
    if (v.kind != Held::Enum || sort->kind != SortKind::Enum) return std::nullopt;
    return sort->decl->values.at(static_cast<std::size_t>(v.number)).value;
  };
  const auto x = number(a), y = number(b);
  if (!x || !y) return std::nullopt;
  return or_equal ? *x <= *y : *x < *y;
}

/// What a map holds; of a map that nobody knows, the fact of the object that is the key.
ClientValue Judge::selected(Term t, const ClientValue& map, const ClientValue& key) const {
  if (map.known() || t->args[0]->op != Op::Var) return select(map, key, t->args[0]->sort);
  const std::string& name = t->args[0]->name;
  const bool of_text = name.starts_with(kept_of_texts);
  // Of `basic_string.substr(7).find(47)`, the one before the question.
  const std::size_t dot = of_text ? kept_of_texts.size() - 1 : name.rfind('.', name.find('('));
  if (dot == std::string::npos) return unknown_value();
  ClientValue object = key;
  object.certain |= of_text;
  const ClientValue found = fact(object, name.substr(dot + 1));
  const bool truth = t->sort->kind == SortKind::Bool && found.kind == Held::Int;
  return truth ? boolean_value(found.number != 0) : found;
}

ClientValue Judge::stored(Sort key_sort, const ClientValue& map, const ClientValue& key,
                          ClientValue value) const {
  auto array = std::make_shared<ClientArray>();
  if (map.kind == Held::Array) *array = *map.array;
  std::erase_if(array->entries,
                [&](const auto& e) { return same(e.first, key, key_sort).value_or(false); });
  array->entries.emplace_back(key, std::move(value));
  ClientValue made = of_kind(Held::Array);
  made.array = std::move(array);
  return made;
}

ClientValue Judge::value(Term t, const Valuation& valuation) const {
  const auto arg = [&](std::size_t i) { return value(t->args[i], valuation); };
  const auto truth_of = [](const ClientValue& v) {
    return v.kind == Held::Bool ? std::optional(v.number != 0) : std::nullopt;
  };
  switch (t->op) {
  case Op::BoolConst: return boolean_value(t->number != 0);
  case Op::IntConst: return integer_value(t->number);
  case Op::EnumConst: return enum_value(static_cast<std::size_t>(t->number));
  case Op::RefConst: return t->number == 0 ? null_value() : unknown_value();
  case Op::Var:
    if (t->name.starts_with('"')) return text_value(t->name.substr(1, t->name.size() - 2));
    return valuation(t);
  case Op::Not: {
    const auto a = truth_of(arg(0));
    return a ? boolean_value(!*a) : unknown_value();
  }
  case Op::And:
  case Op::Or: {
    const bool neutral = t->op == Op::And;
    bool all_known = true;
    for (std::size_t i = 0; i < t->args.size(); ++i) {
      const auto a = truth_of(arg(i));
      if (a && *a != neutral) return boolean_value(!neutral);
      all_known &= a.has_value();
    }
    return all_known ? boolean_value(neutral) : unknown_value();
  }
  case Op::Ite: {
    if (const auto c = truth_of(arg(0))) return arg(*c ? 1 : 2);
    const ClientValue a = arg(1), b = arg(2);
    return identical(a, b) ? a : unknown_value();
  }
  case Op::Eq: {
    // A text that a condition spells out is compared by what it says.
    const auto literal = [](Term side) {
      return side->op == Op::Var && side->name.starts_with('"');
    };
    const bool spelt = literal(t->args[0]) || literal(t->args[1]);
    return truth_value(same(arg(0), arg(1), spelt ? nullptr : t->args[0]->sort));
  }
  case Op::Lt:
  case Op::Le: return truth_value(less(arg(0), arg(1), t->args[0]->sort, t->op == Op::Le));
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::Div:
  case Op::Mod: return arithmetic(t, arg(0), arg(1));
  case Op::Neg: {
    const ClientValue a = arg(0);
    return a.kind == Held::Int ? integer_value(-a.number) : unknown_value();
  }
  case Op::Wrap: {
    const ClientValue a = arg(0);
    if (a.kind != Held::Int) return unknown_value();
    const bool is_signed = t->number < 0;
    return integer_value(
        wrap_integer(a.number, static_cast<int>(is_signed ? -t->number : t->number), is_signed));
  }
  case Op::ToInt: {
    const ClientValue a = arg(0);
    const Sort sort = t->args[0]->sort;
    if (a.kind != Held::Enum || sort->kind != SortKind::Enum) return unknown_value();
    return integer_value(sort->decl->values.at(static_cast<std::size_t>(a.number)).value);
  }
  case Op::Select: return selected(t, arg(0), arg(1));
  case Op::Store: return stored(t->args[0]->sort->key, arg(0), arg(1), arg(2));
  case Op::ConstMap: {
    auto array = std::make_shared<ClientArray>();
    array->otherwise = arg(0);
    ClientValue made = of_kind(Held::Array);
    made.array = std::move(array);
    return made;
  }
  }
  should_not_be_reached("every operator should be evaluated");
}

std::optional<bool> Judge::truth(Term term, const Valuation& valuation) const {
  const ClientValue found = value(term, valuation);
  if (found.kind != Held::Bool) return std::nullopt;
  return found.number != 0;
}

} // namespace tacit
