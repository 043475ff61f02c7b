#include "interface/calling.h"

#include <algorithm>
#include <array>
#include <regex>

#include "interface/conditions.h"
#include "program/ir/names.h"
#include "program/ir/reals.h"

namespace tacit {

namespace {

using Kind = WrittenValue::Kind;

/// After the last `::`, `.` or `$`, outside brackets: `Status::Ok` is `Ok`.
std::string last_part(std::string_view name) { return simple_name(name); }

bool contains_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(
      parts, [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

bool says_text(std::string_view type) {
  return contains_any(type, {"String", "string", "char", "CharSequence"});
}
bool says_number(std::string_view type) {
  static constexpr auto names = std::to_array<std::string_view>(
      {"int", "long", "short", "byte", "unsigned", "size_t", "Integer", "Long", "Short", "Byte",
       "float", "double", "Float", "Double", "int32_t", "int64_t", "uint32_t", "uint64_t"});
  return type.find('[') == std::string_view::npos && std::ranges::find(names, type) != names.end();
}
bool says_array(std::string_view type) {
  return contains_any(type, {"[]", "List", "vector", "Collection", "Iterable", "span", "*"});
}

/// Without what does not tell types apart: `const std::string&` is `string`.
std::string plain_type(std::string_view type) {
  std::string text(type);
  for (const std::string_view word : {"const ", "struct ", "enum "})
    if (const auto at = text.find(word); at == 0) text.erase(0, word.size());
  while (!text.empty() && (text.back() == '&' || text.back() == ' ')) text.pop_back();
  return text;
}

std::string simple_type(std::string_view type) {
  const std::string plain = plain_type(type);
  const std::size_t suffix = std::min(plain.find_first_of("[*<"), plain.size());
  return simple_name(plain.substr(0, suffix)) + plain.substr(suffix);
}

/// Parameters that one argument was spread over: `config.coerce0`, `config.coerce1`.
std::vector<std::vector<std::size_t>> argument_groups(const Procedure& procedure) {
  std::vector<std::vector<std::size_t>> groups;
  std::string stem;
  for (std::size_t i = 0; i < procedure.parameters.size(); ++i) {
    const std::string_view name = source_name(procedure.parameters[i].name());
    const std::size_t dot = name.find('.');
    const std::string own(dot == std::string_view::npos ? "" : name.substr(0, dot));
    if (!own.empty() && own == stem)
      groups.back().push_back(i);
    else
      groups.push_back({i});
    stem = own;
  }
  return groups;
}

ClientValue untyped(const WrittenValue& written) {
  switch (written.kind) {
  case Kind::Null: return null_value();
  case Kind::Bool: return boolean_value(written.number != 0);
  case Kind::Number: return integer_value(written.number);
  case Kind::Text: return text_value(written.text);
  default: return unknown_value();
  }
}

} // namespace

std::vector<std::string> types_in(std::string_view name) {
  const std::size_t open = name.find('(');
  if (open == std::string_view::npos || !name.ends_with(')')) return {};
  std::vector<std::string> types;
  int depth = 0;
  std::string type;
  for (const char c : name.substr(open + 1, name.size() - open - 2)) {
    if (c == ',' && depth == 0) {
      types.push_back(std::exchange(type, {}));
      continue;
    }
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
    if (c != ' ' || !type.empty()) type += c;
  }
  if (!type.empty()) types.push_back(type);
  return types;
}

std::string simple_signature(std::string_view name) {
  const std::size_t open = name.find('(');
  if (open == std::string_view::npos || !name.ends_with(')')) return std::string(name);
  std::string text(name.substr(0, open + 1));
  for (const std::string& type : types_in(name))
    text += (text.back() == '(' ? "" : ",") + simple_type(type);
  return text + ")";
}

Calling::Calling(const Interface& interface, const Module& module)
    : interface_(interface), module_(module) {
  for (const InterfaceCall& call : interface.calls) names_.push_back(call.name);
  for (const std::string& text : interface.options.letters)
    if (auto spec = parse_letter_spec(text)) letters_.push_back(std::move(*spec));
}

const Procedure* Calling::procedure(std::string_view call) const {
  const auto called = [&](std::string_view name) -> const Procedure* {
    for (const Procedure& procedure : module_.procedures)
      if (procedure.name == name &&
          (procedure.kind == ProcedureKind::Method || procedure.kind == ProcedureKind::Constructor))
        return &procedure;
    return nullptr;
  };
  for (const LetterSpec& letter : letters_)
    if (letter.name == call) return called(letter.method);
  return called(call);
}

std::optional<int> Calling::fit(std::string_view signature,
                                const std::vector<WrittenValue>& arguments) const {
  const std::vector<std::string> types = types_in(signature);
  const auto given = static_cast<std::size_t>(
      std::ranges::count_if(arguments, [](const WrittenValue& v) { return v.kind != Kind::Self; }));
  const bool whole = types.size() == arguments.size();
  if (!whole && types.size() != given) return std::nullopt;
  int points = 0;
  std::size_t at = 0;
  for (const WrittenValue& value : arguments) {
    if (value.kind == Kind::Self && !whole) continue;
    const std::string type = simple_type(types[at++]);
    const bool number = says_number(type), text = says_text(type), array = says_array(type);
    const bool truth = type == "bool" || type == "boolean" || type == "Boolean";
    switch (value.kind) {
    case Kind::Bool:
      if (!truth && (text || array)) return std::nullopt;
      points += truth ? 2 : 0;
      break;
    case Kind::Number:
      if (text || array || truth) return std::nullopt;
      points += number ? 2 : 0;
      break;
    case Kind::Text:
      if (number || truth) return std::nullopt;
      points += text ? 2 : 0;
      break;
    case Kind::Bare:
    case Kind::Recorded:
      // In Java numbers are recorded as texts.
      if (number && !(java() && parse_integer(value.text))) return std::nullopt;
      if (truth && value.text != "true" && value.text != "false") return std::nullopt;
      points += text ? 1 : 0;
      break;
    case Kind::List:
      if (number || truth) return std::nullopt;
      points += array ? 2 : 0;
      break;
    case Kind::Null:
      if (number || truth) return std::nullopt;
      break;
    default: break;
    }
  }
  return points;
}

std::optional<std::size_t> Calling::choose(const std::vector<std::string>& names,
                                           std::string_view name,
                                           const std::vector<WrittenValue>* arguments) const {
  const auto index = [&](std::string_view wanted) -> std::optional<std::size_t> {
    const auto found = std::ranges::find(names, wanted);
    if (found == names.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names.begin());
  };
  const std::string signature = simple_signature(name);
  for (const std::string_view wanted : {name, std::string_view(signature)})
    if (const auto found = index(wanted)) return found;
  const std::string bare(bare_name(name));
  std::vector<std::size_t> overloads;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view known = bare_name(names[i]);
    if (known != bare && simple_name(known) != simple_name(bare)) continue;
    // Where both give types, they have to agree.
    if (name != bare && known != names[i] && simple_signature(names[i]) != signature &&
        simple_signature(names[i]).substr(known.size()) != signature.substr(bare.size()))
      continue;
    overloads.push_back(i);
  }
  if (overloads.size() == 1) return overloads.front();
  if (!arguments) return std::nullopt;
  std::optional<std::size_t> best;
  int most = -1;
  bool tie = false;
  for (const std::size_t i : overloads) {
    const auto points = fit(names[i], *arguments);
    if (!points || *points < most) continue;
    tie = *points == most;
    most = *points;
    best = i;
  }
  return tie ? std::nullopt : best;
}

std::vector<std::size_t> Calling::calls(std::string_view name,
                                        const std::vector<WrittenValue>* arguments) const {
  const auto found = choose(names_, name, arguments);
  const std::string method(found ? names_[*found] : name);
  std::vector<std::size_t> all;
  for (const LetterSpec& letter : letters_)
    if (arguments && (letter.method == method || bare_name(letter.method) == method))
      if (const auto call = interface_.find_call(letter.name)) all.push_back(*call);
  if (found) all.push_back(*found);
  return all;
}

std::optional<std::size_t> Calling::constructor(std::string_view name,
                                                const std::vector<WrittenValue>* arguments) const {
  const std::vector<std::string>& names = interface_.constructors;
  if (const auto found = choose(names, name, arguments)) return found;
  // As the source writes them there may be values between the parentheses.
  const std::string_view bare = bare_name(name);
  if (bare != name)
    if (const auto found = choose(names, bare, arguments)) return found;
  if (names.size() == 1) return 0;
  return std::nullopt;
}

namespace {

/// `returns<0`, `returns!=null`.
std::optional<bool> condition_holds(std::string_view outcome, const WrittenValue& result,
                                    std::optional<Integer> number) {
  static const std::regex form(R"(returns(<=|>=|!=|<|>)(-?\d+|null))");
  std::match_results<std::string_view::const_iterator> parts;
  if (!std::regex_match(outcome.begin(), outcome.end(), parts, form)) return false;
  const std::string op = parts[1].str(), limit = parts[2].str();
  if (limit == "null") return (result.kind == Kind::Null) == (op != "!=");
  const auto bound = parse_integer(limit);
  if (!number || !bound) return std::nullopt;
  if (op == "<") return *number < *bound;
  if (op == "<=") return *number <= *bound;
  if (op == ">") return *number > *bound;
  if (op == ">=") return *number >= *bound;
  return *number != *bound;
}

} // namespace

std::optional<Integer> Calling::constant(std::string_view name, Sort wanted) const {
  const std::string last = last_part(name);
  const auto in = [&](const EnumDecl& decl) -> std::optional<Integer> {
    for (const Enumerator& value : decl.values)
      if (value.name == name || value.name == last) return value.value;
    return std::nullopt;
  };
  if (wanted && wanted->kind == SortKind::Enum)
    if (const auto found = in(*wanted->decl)) return found;
  std::optional<Integer> found;
  bool ambiguous = false;
  const auto take = [&](Integer value) {
    ambiguous |= found && *found != value;
    found = value;
  };
  for (const auto& [enumeration, values] : interface_.constants)
    if (const auto value = values.find(last); value != values.end() && enumeration != "text") {
      // A qualified name says which enumeration it is of.
      const std::string_view qualifier = name.substr(0, name.size() - last.size());
      if (!qualifier.empty() && qualifier.find(last_part(enumeration)) != std::string_view::npos)
        return value->second;
      take(value->second);
    }
  for (const Sort sort : module_.enums)
    if (const auto value = in(*sort->decl)) take(*value);
  return ambiguous ? std::nullopt : found;
}

std::optional<bool> Calling::returns_value(std::size_t call, std::string_view value,
                                           const WrittenValue& result) const {
  if (result.kind == Kind::Null) return value == "null" || value.starts_with("no_");
  if (value == "null") return false;
  const std::string written = to_string(result);
  if (written == value || last_part(written) == value) return true;
  const auto truth = [](std::string_view text) { return text == "true" || text == "false"; };
  if (truth(value) && truth(written)) return false;
  const Procedure* body = procedure(interface_.calls[call].name);
  const Sort sort = body && body->returns ? body->returns->sort : nullptr;
  const auto number = [&](const std::string& text) {
    const auto digits = parse_integer(text);
    return digits ? digits : constant(text, sort);
  };
  std::optional<Integer> given;
  if (result.kind == Kind::Number || result.kind == Kind::Bool) given = result.number;
  if (result.is_word()) given = number(result.text);
  const std::optional<Integer> wanted =
      truth(value) ? std::optional(Integer{value == "true"}) : number(std::string(value));
  if (wanted && given) return *wanted == *given;
  // Two names of which neither is a number are enumerators.
  if (!wanted && !given && result.is_word()) return false;
  return std::nullopt;
}

std::vector<std::size_t> Calling::outcomes(std::size_t call, std::string_view outcome,
                                           const WrittenValue* result) const {
  const std::vector<std::string>& known = interface_.calls[call].outcomes;
  std::vector<std::size_t> all;
  const auto add = [&](const auto& wanted) {
    for (std::size_t i = 0; i < known.size(); ++i)
      if (wanted(known[i])) all.push_back(i);
    return !all.empty();
  };
  const auto is = [](std::string_view name) {
    return [name](std::string_view other) { return other == name; };
  };
  const auto everything = [](std::string_view) { return true; };
  const auto returning = [](std::string_view name) {
    return name.starts_with("returns") || name == "any";
  };
  WrittenValue value;
  if (result) value = *result;
  if (outcome.starts_with("returns=") && value.kind == Kind::Missing) {
    if (add(is(outcome))) return all;
    const std::string text(outcome.substr(8));
    const auto number = parse_integer(text);
    value = text == "null" ? WrittenValue{Kind::Null, {}, 0, {}}
            : text == "true" || text == "false"
                ? WrittenValue{Kind::Bool, {}, text == "true" ? 1 : 0, {}}
            : number ? WrittenValue{Kind::Number, {}, *number, {}}
                     : WrittenValue{Kind::Bare, text, 0, {}};
    outcome = "returns";
  }
  if (outcome.empty() && value.kind != Kind::Missing) outcome = "returns";
  if (outcome.empty() || outcome == "any") {
    if (outcome.empty() || !add(is("any"))) add(everything);
    return all;
  }
  if (outcome.starts_with("throws")) {
    const std::string_view type = outcome.substr(std::min(outcome.size(), std::size_t{7}));
    const std::string simple = "throws=" + last_part(type);
    for (const std::string_view name : {outcome, std::string_view(simple)})
      if (add(is(name))) return all;
    // The nearest type above it that is an outcome.
    for (const Exception& exception : module_.exceptions) {
      if (!name_matches(type, exception.name)) continue;
      std::string above = exception.parent;
      for (std::size_t steps = 0; !above.empty() && steps < module_.exceptions.size(); ++steps) {
        if (add(is("throws=" + last_part(above)))) return all;
        const auto parent = std::ranges::find(module_.exceptions, above, &Exception::name);
        above = parent == module_.exceptions.end() ? "" : parent->parent;
      }
      for (const std::string& other : exception.also)
        if (add(is("throws=" + last_part(other)))) return all;
    }
    for (const std::string_view name : {"throws=other", "throws", "any"})
      if (add(is(name))) return all;
    return all;
  }
  if (outcome != "returns") {
    add(is(outcome));
    return all;
  }
  if (value.kind == Kind::Missing) {
    if (!add(is("returns"))) add(returning);
    return all;
  }
  bool unknown = false;
  const auto sure = [&](std::optional<bool> holds) {
    unknown |= !holds;
    return holds.value_or(false);
  };
  const auto number = value.kind == Kind::Number ? std::optional(value.number) : std::nullopt;
  if (add([&](std::string_view name) {
        return name.starts_with("returns=") && name != "returns=other" &&
               sure(returns_value(call, name.substr(8), value));
      }) ||
      add([&](std::string_view name) { return sure(condition_holds(name, value, number)); }))
    return all;
  if (unknown) {
    add(returning);
    return all;
  }
  for (const std::string_view name : {"returns=other", "returns", "any"})
    if (add(is(name))) return all;
  return all;
}

std::vector<ClientValue> Calling::arguments(const Procedure& procedure, std::string_view name,
                                            const std::vector<WrittenValue>& written) const {
  std::vector<ClientValue> values(procedure.parameters.size());
  auto groups = argument_groups(procedure);
  std::vector<WrittenValue> given = written;
  const auto receiver = [](const WrittenValue& v) { return v.kind == Kind::Self; };
  if (given.size() != groups.size()) std::erase_if(given, receiver);
  // The object around an inner class is no argument of the source.
  if (java() && given.size() + 1 == groups.size() &&
      procedure.parameters[0].name().starts_with("this$"))
    groups.erase(groups.begin());
  if (given.size() > groups.size()) return values;
  std::vector<std::string> types = types_in(name);
  if (types.size() != given.size()) types.assign(given.size(), "");
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto& group = groups[i];
    const auto type = [&](std::size_t k) -> const Type& { return procedure.parameters[k].type; };
    if (given[i].kind == Kind::Fields && type(group[0]).sort->kind != SortKind::Ref) {
      if (given[i].parts.size() != group.size()) continue; // packed: nobody knows how
      for (std::size_t k = 0; k < group.size(); ++k)
        values[group[k]] = value(given[i].parts[k], type(group[k]));
    } else if (group.size() == 1) {
      values[group[0]] = value(given[i], type(group[0]), types[i]);
    }
  }
  return values;
}

ClientValue Calling::value(const WrittenValue& written, const Type& type,
                           std::string_view declared) const {
  if (written.kind == Kind::Missing || !type.sort) return unknown_value();
  switch (type.sort->kind) {
  case SortKind::Bool:
    if (written.kind == Kind::Bool) return boolean_value(written.number != 0);
    if (written.kind == Kind::Number && (written.number == 0 || written.number == 1))
      return boolean_value(written.number == 1);
    if (written.is_word() && (written.text == "true" || written.text == "false"))
      return boolean_value(written.text == "true");
    return unknown_value();
  case SortKind::Int: return integer(written, type, declared);
  case SortKind::Enum: return enumerator(written, type.sort);
  case SortKind::Ref: return reference(written, type, declared);
  case SortKind::Map: return unknown_value();
  }
  return unknown_value();
}

namespace {

/// A number as a machine type of that range has it; other ranges take what fits.
ClientValue in_range_of(const Type& type, Integer number) {
  if (!type.low || !type.high || (*type.low <= number && number <= *type.high))
    return integer_value(number);
  for (const int bits : {8, 16, 32, 64})
    for (const bool is_signed : {false, true}) {
      const Integer half = Integer{1} << (bits - 1);
      if (*type.low == (is_signed ? -half : 0) &&
          *type.high == (is_signed ? half - 1 : 2 * half - 1))
        return integer_value(wrap_integer(number, bits, is_signed));
    }
  return unknown_value();
}

/// The code of a text that is one character.
std::optional<Integer> character(std::string_view text, bool utf16) {
  if (text.size() == 1) {
    const auto byte = static_cast<unsigned char>(text[0]);
    if (byte < 0x80 || !utf16) return byte;
  }
  if (!utf16 || text.empty()) return std::nullopt;
  const auto byte = [&](std::size_t i) {
    return static_cast<Integer>(static_cast<unsigned char>(text[i]) & 0x3F);
  };
  const auto first = static_cast<unsigned char>(text[0]);
  if (text.size() == 2 && (first & 0xE0) == 0xC0) return Integer{first & 0x1F} * 64 + byte(1);
  if (text.size() == 3 && (first & 0xF0) == 0xE0)
    return Integer{first & 0x0F} * 4096 + byte(1) * 64 + byte(2);
  return std::nullopt;
}

} // namespace

namespace {

/// By its place among all numbers.
ClientValue real(const WrittenValue& written) {
  std::optional<double> number;
  if (written.kind == Kind::Number) number = static_cast<double>(written.number);
  if (written.kind == Kind::Other || written.is_word()) number = parse_real(written.text);
  const auto place = number ? place_of(*number) : std::nullopt;
  return place ? integer_value(*place) : unknown_value();
}

} // namespace

ClientValue Calling::integer(const WrittenValue& written, const Type& type,
                             std::string_view declared) const {
  if (is_real(type)) return real(written);
  const bool byte = type.high && *type.high <= 255 && type.low && *type.low >= -128;
  const bool java_char = declared == "char" || declared == "java.lang.Character" ||
                         (java() && type.low == Integer{0} && type.high == Integer{65535});
  switch (written.kind) {
  case Kind::Number:
  case Kind::Bool: return in_range_of(type, written.number);
  case Kind::Char:
    if (const auto code = character(written.text, java())) return in_range_of(type, *code);
    return unknown_value();
  case Kind::Text:
    if (java_char || byte)
      if (const auto code = character(written.text, java())) return in_range_of(type, *code);
    return unknown_value();
  case Kind::Bare:
  case Kind::Recorded: break;
  default: return unknown_value();
  }
  if (java_char || (byte && !java()))
    if (const auto code = character(written.text, java())) return in_range_of(type, *code);
  if (const auto number = parse_integer(written.text)) return in_range_of(type, *number);
  if (const auto number = constant(written.text, nullptr)) return in_range_of(type, *number);
  return unknown_value();
}

ClientValue Calling::enumerator(const WrittenValue& written, Sort sort) const {
  const std::vector<Enumerator>& values = sort->decl->values;
  const auto where = [&](const auto& is_it) {
    const auto found = std::ranges::find_if(values, is_it);
    return found == values.end() ? unknown_value()
                                 : enum_value(static_cast<std::size_t>(found - values.begin()));
  };
  if (written.kind == Kind::Number)
    return where([&](const Enumerator& e) { return e.value == written.number; });
  if (written.kind == Kind::Null)
    return where([](const Enumerator& e) { return e.name.starts_with("no_") && e.value == -1; });
  if (!written.is_word()) return unknown_value();
  const std::string last = last_part(written.text);
  const ClientValue named =
      where([&](const Enumerator& e) { return e.name == written.text || e.name == last; });
  if (named.known()) return named;
  const auto number = constant(written.text, sort);
  return number ? where([&](const Enumerator& e) { return e.value == *number; }) : named;
}

ClientValue Calling::reference(const WrittenValue& written, const Type& type,
                               std::string_view declared) const {
  const auto size_of = [](const std::vector<WrittenValue>& parts) {
    const ClientValue size = integer_value(static_cast<Integer>(parts.size()));
    return std::map<std::string, ClientValue>{{"size", size}, {"length", size}};
  };
  switch (written.kind) {
  case Kind::Null: return null_value();
  case Kind::Text: return text_value(written.text);
  case Kind::Object: return object_value(written.text);
  case Kind::Self: return object_value("$self");
  case Kind::List: return object_value("", size_of(written.parts));
  case Kind::Fields: {
    const auto record = std::ranges::find(module_.records, type.record, &Record::name);
    std::map<std::string, ClientValue> facts;
    if (record != module_.records.end() && record->fields.size() == written.parts.size())
      for (std::size_t i = 0; i < written.parts.size(); ++i)
        facts[record->fields[i].first] = value(written.parts[i], record->fields[i].second);
    return object_value("", std::move(facts));
  }
  case Kind::Out: {
    if (written.parts.empty()) return object_value("");
    return object_value("", {{std::string(any_fact), untyped(written.parts[0])}});
  }
  case Kind::Bare: return object_value(written.text);
  case Kind::Recorded: break;
  case Kind::Bool:
  case Kind::Number: return object_value("", {{"value", untyped(written)}});
  case Kind::Char:
  case Kind::Other: return object_value("");
  case Kind::Missing: return unknown_value();
  }
  const std::string_view known = declared.empty() ? std::string_view(type.record) : declared;
  if (written.text == "this" && java()) return object_value("$self");
  if (says_text(known)) return text_value(written.text);
  if (known.empty()) return text_value(written.text, /*certain=*/!java());
  if (simple_name(known) == "Object") return text_value(written.text, false);
  return object_value(written.text);
}

} // namespace tacit
