// Items may come in any order, so reading goes over them several times: names of types first, then
// state and signatures, then clauses and bodies, which may mention everything.
#include "program/text/read.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <sys/stat.h>

#include "logic/term/parse.h"
#include "program/ir/scope.h"
#include "program/ir/verify.h"
#include "program/text/contract_body.h"
#include "program/text/read_body.h"

#define TRY(expression)                                                                            \
  if (auto try_result = (expression); !try_result) return std::unexpected(try_result.error())

namespace tacit {

Result<std::string> read_file(const std::string& path) {
  struct stat info{};
  if (stat(path.c_str(), &info) != 0)
    return fail(Location{path}, "cannot be read: {}", std::strerror(errno));
  if (S_ISDIR(info.st_mode)) return fail(Location{path}, "cannot be read: it is a directory");
  std::ifstream in(path, std::ios::binary);
  if (!in) return fail(Location{path}, "cannot be read: {}", std::strerror(errno));
  std::ostringstream text;
  text << in.rdbuf();
  if (in.bad()) return fail(Location{path}, "cannot be read: {}", std::strerror(errno));
  return text.str();
}

namespace {

std::optional<std::pair<Integer, Integer>> machine_range(std::string_view word) {
  if (word.size() < 2 || (word[0] != 'u' && word[0] != 's')) return std::nullopt;
  for (int bits : {8, 16, 32, 64}) {
    if (word.substr(1) != std::to_string(bits)) continue;
    const Integer one = 1;
    if (word[0] == 'u') return std::pair{Integer{0}, (one << bits) - 1};
    return std::pair{-(one << (bits - 1)), (one << (bits - 1)) - 1};
  }
  return std::nullopt;
}

Result<std::optional<Integer>> bound(TokenStream& tokens) {
  const Location where = tokens.here();
  const bool negative = tokens.take_if("-");
  if (tokens.peek().kind != TokenKind::Number) {
    if (negative) return std::unexpected(tokens.unexpected("a number"));
    return std::optional<Integer>();
  }
  const Token number = tokens.take();
  const auto value = parse_integer(number.text);
  if (!value) return fail(where, "the number {} is not one, or too large", describe(number));
  return std::optional<Integer>(negative ? -*value : *value);
}

Result<void> read_range(TokenStream& tokens, Type& type) {
  const Location where = tokens.here();
  tokens.take();
  auto low = bound(tokens);
  if (!low) return std::unexpected(low.error());
  TRY(tokens.expect(".."));
  auto high = bound(tokens);
  if (!high) return std::unexpected(high.error());
  TRY(tokens.expect("]"));
  type.low = *low;
  type.high = *high;
  if (type.low && type.high && *type.low > *type.high) return fail(where, "this range is empty");
  return {};
}

} // namespace

Result<Type> read_type(TokenStream& tokens, const Module& module) {
  const Location where = tokens.here();
  auto name = tokens.expect_name("a type");
  if (!name) return std::unexpected(name.error());
  TermArena& arena = *module.arena;
  Type type;
  if (name->quoted) {
    for (Sort s : module.enums)
      if (s->decl->name == name->text) type.sort = s;
    if (!type.sort) return fail(where, "'{}' is not an enumeration", name->text);
  } else if (name->text == "bool") {
    type.sort = arena.bool_sort();
  } else if (name->text == "int") {
    type.sort = arena.int_sort();
    if (tokens.at("[")) TRY(read_range(tokens, type));
  } else if (auto range = machine_range(name->text)) {
    type.sort = arena.int_sort();
    type.low = range->first;
    type.high = range->second;
  } else if (name->text == "ref") {
    type.sort = arena.ref_sort();
    const Token& next = tokens.peek();
    const bool names = next.kind == TokenKind::Name && (next.quoted || !may_follow_type(next.text));
    for (const Record& r : module.records)
      if (names && next.text == r.name) {
        type.record = r.name;
        tokens.take();
        break;
      }
  } else if (name->text == "map") {
    TRY(tokens.expect("["));
    const Location key_at = tokens.here();
    auto key = read_type(tokens, module);
    if (!key) return key;
    if (key->sort->kind == SortKind::Map) return fail(key_at, "a map cannot be the key of a map");
    TRY(tokens.expect("]"));
    auto value = read_type(tokens, module);
    if (!value) return value;
    type.sort = arena.map_sort(key->sort, value->sort);
    type.key = std::make_shared<Type>(*key);
    type.value = std::make_shared<Type>(*value);
  } else if (name->text == "exception") {
    if (!module.exception_sort) return fail(where, "this module declares no exceptions");
    type.sort = module.exception_sort;
  } else {
    std::vector<std::string> known{"bool", "int", "ref", "map", "exception"};
    for (Sort s : module.enums) {
      if (s->decl->name == name->text) type.sort = s;
      known.push_back(s->decl->name);
    }
    if (!type.sort)
      return fail(where, "'{}' is not a type{}", name->text, suggestion(name->text, known));
  }
  return type;
}

Result<std::string> read_text(TokenStream& tokens) {
  if (tokens.peek().kind != TokenKind::String)
    return std::unexpected(tokens.unexpected("a text in quotes"));
  return tokens.take().text;
}

Result<void> read_attributes(TokenStream& tokens, Variable& variable) {
  static const std::map<std::string_view, Address> places = {
      {"place", Address::Place}, {"object", Address::Object}, {"part", Address::Part}};
  if (tokens.take_if("at")) {
    auto place = tokens.expect_name("'place', 'object' or 'part'");
    if (!place) return std::unexpected(place.error());
    const auto found = places.find(place->text);
    if (found == places.end())
      return fail(tokens.where(*place), "'{}' is not what an address is of", place->text);
    variable.address = found->second;
  }
  if (tokens.take_if("shown")) {
    auto text = read_text(tokens);
    if (!text) return std::unexpected(text.error());
    variable.shown = *text;
  }
  return {};
}

namespace {

const std::set<std::string, std::less<>> item_words = {
    "language", "conventions", "errors",    "enum",   "exception", "record",
    "state",    "client",      "invariant", "extern", "procedure", "constructor",
    "method",   "assumption",  "left_out",  "literal"};

class ModuleReader {
public:
  ModuleReader(TokenStream tokens, std::shared_ptr<TermArena> arena) : tokens_(std::move(tokens)) {
    if (arena) module_.arena = std::move(arena);
    const std::string& file = tokens_.file();
    const auto slash = file.rfind('/');
    site_file_ = slash == std::string::npos ? file : file.substr(slash + 1);
  }

  Result<Module> run() {
    TRY(tokens_.expect("component"));
    auto name = tokens_.expect_name("the name of the component");
    if (!name) return std::unexpected(name.error());
    module_.name = name->text;
    tokens_.take_if(";");
    TRY(find_items());
    TRY(each({"language"}, &ModuleReader::language));
    TRY(each({"conventions"}, &ModuleReader::conventions));
    TRY(each({"errors"}, &ModuleReader::errors));
    TRY(each({"exception"}, &ModuleReader::exception));
    TRY(finish_exceptions());
    TRY(each({"enum"}, &ModuleReader::enumeration));
    TRY(each({"record"}, &ModuleReader::record_name));
    TRY(each({"record"}, &ModuleReader::record));
    TRY(each({"state", "client"}, &ModuleReader::state));
    TRY(each({"extern", "procedure", "constructor", "method"}, &ModuleReader::signature));
    TRY(each({"state", "client"}, &ModuleReader::state_value));
    TRY(each({"invariant"}, &ModuleReader::invariant));
    TRY(each({"assumption"}, &ModuleReader::assumption));
    TRY(each({"left_out"}, &ModuleReader::left_out));
    TRY(each({"literal"}, &ModuleReader::literal));
    TRY(each({"extern", "procedure", "constructor", "method"}, &ModuleReader::body));
    const auto problems = verify(module_);
    if (!problems.empty()) return std::unexpected(problems.front());
    return std::move(module_);
  }

private:
  struct Item {
    std::string word;
    std::size_t at = 0, end = 0;
    std::size_t resume = 0; // where a later round goes on reading
    std::size_t index = 0;  // of the thing it declared
  };

  /// An item starts with its keyword, first on its line or after `;` or `}`, followed by something
  /// it can introduce: so `state state : int` and an expression that mentions `state` are both
  /// fine.
  Result<void> find_items() {
    int depth = 0, last_line = 0;
    std::string previous = ";";
    while (!tokens_.at_end()) {
      const Token token = tokens_.peek(), next = tokens_.peek(1);
      const bool fresh = token.line != last_line || previous == ";" || previous == "}";
      const bool introduces = next.kind == TokenKind::Name || next.kind == TokenKind::String ||
                              next.kind == TokenKind::Number ||
                              (token.text == "invariant" && next.kind == TokenKind::Symbol);
      if (depth == 0 && token.kind == TokenKind::Name && !token.quoted && fresh && introduces &&
          item_words.contains(token.text)) {
        close_item();
        items_.push_back({token.text, tokens_.position()});
      } else if (items_.empty() && token.text != ";") {
        return std::unexpected(tokens_.unexpected("an item (state, method, enum, …)"));
      }
      if (token.kind == TokenKind::Symbol && token.text == "{") ++depth;
      if (token.kind == TokenKind::Symbol && token.text == "}" && --depth < 0)
        return fail(tokens_.here(), "this '}}' closes nothing");
      last_line = token.line;
      previous = token.text;
      tokens_.take();
    }
    if (depth > 0) return fail(tokens_.here(), "the text ends inside braces that are never closed");
    close_item();
    return {};
  }
  void close_item() {
    if (!items_.empty()) items_.back().end = tokens_.position();
  }

  using Reader = Result<void> (ModuleReader::*)(Item&);
  Result<void> each(std::initializer_list<std::string_view> words, Reader reader) {
    for (Item& item : items_) {
      bool wanted = false;
      for (std::string_view w : words) wanted = wanted || item.word == w;
      if (!wanted) continue;
      tokens_.rewind(item.resume ? item.resume : item.at + 1);
      TRY((this->*reader)(item));
      item.resume = tokens_.position();
    }
    return {};
  }

  /// At the end of an item: nothing is left of it but semicolons.
  Result<void> done(const Item& item) {
    while (tokens_.take_if(";")) {
    }
    if (tokens_.position() < item.end)
      return std::unexpected(tokens_.unexpected("the end of this " + item.word));
    return {};
  }

  Result<std::string> declare(std::string_view what) {
    auto name = tokens_.expect_name(what);
    if (!name) return std::unexpected(name.error());
    if (!declared_.insert(name->text).second)
      return fail(tokens_.where(*name), "'{}' is declared already", name->text);
    return name->text;
  }

  Result<void> language(Item& item) {
    auto name = tokens_.expect_name("the name of a language");
    if (!name) return std::unexpected(name.error());
    module_.set_language(name->text);
    return done(item);
  }

  /// What is listed holds and nothing else; without this item those of the language do.
  Result<void> conventions(Item& item) {
    for (const auto& [word, holds] : convention_words()) module_.conventions.*holds = false;
    if (tokens_.take_if("none")) return done(item);
    do {
      auto name = tokens_.expect_name("a convention");
      if (!name) return std::unexpected(name.error());
      std::vector<std::string> known;
      for (const auto& [word, holds] : convention_words()) {
        if (word == name->text) module_.conventions.*holds = true;
        known.emplace_back(word);
      }
      if (std::ranges::find(known, name->text) == known.end())
        return fail(tokens_.where(*name), "'{}' is not a convention{}", name->text,
                    suggestion(name->text, known));
    } while (tokens_.take_if(","));
    return done(item);
  }

  Result<void> errors(Item& item) {
    module_.conventions.errors.clear();
    if (tokens_.take_if("none")) return done(item);
    do {
      auto text = read_text(tokens_);
      if (!text) return std::unexpected(text.error());
      module_.conventions.errors.push_back(*text);
    } while (tokens_.take_if(","));
    return done(item);
  }

  Result<void> exception(Item& item) {
    auto name = declare("the name of an exception");
    if (!name) return std::unexpected(name.error());
    Exception exception{*name, "", {}};
    if (tokens_.take_if(":")) {
      parents_at_.push_back(tokens_.here());
      auto parent = tokens_.expect_name("the exception it is a kind of");
      if (!parent) return std::unexpected(parent.error());
      exception.parent = parent->text;
    } else {
      parents_at_.push_back({});
    }
    if (tokens_.take_if("also")) {
      parents_at_.back() = tokens_.here();
      do {
        auto other = tokens_.expect_name("another exception it is a kind of");
        if (!other) return std::unexpected(other.error());
        exception.also.push_back(other->text);
      } while (tokens_.take_if(","));
    }
    module_.exceptions.push_back(std::move(exception));
    return done(item);
  }

  Result<void> finish_exceptions() {
    EnumDecl decl{"exception", {}};
    for (std::size_t i = 0; i < module_.exceptions.size(); ++i) {
      const Exception& e = module_.exceptions[i];
      if (!e.parent.empty() && !module_.find_exception(e.parent))
        return fail(parents_at_[i], "'{}' is not a declared exception", e.parent);
      for (const std::string& other : e.also)
        if (!module_.find_exception(other))
          return fail(parents_at_[i], "'{}' is not a declared exception", other);
      decl.values.push_back({e.name, static_cast<Integer>(i)});
      std::set<std::string> seen;
      for (std::string at = e.name; !at.empty();
           at = module_.exceptions[*module_.find_exception(at)].parent) {
        if (!seen.insert(at).second)
          return fail(parents_at_[i], "'{}' is a kind of itself", e.name);
        if (!module_.exceptions[*module_.find_exception(at)].parent.empty() &&
            !module_.find_exception(module_.exceptions[*module_.find_exception(at)].parent))
          break;
      }
    }
    if (!decl.values.empty()) module_.exception_sort = module_.arena->enum_sort(std::move(decl));
    return {};
  }

  Result<void> enumeration(Item& item) {
    auto name = declare("the name of an enumeration");
    if (!name) return std::unexpected(name.error());
    EnumDecl decl{*name, {}};
    if (tokens_.take_if(":")) {
      TRY(tokens_.expect("int"));
      decl.numbers = true;
    }
    TRY(tokens_.expect("{"));
    Integer next = 0;
    std::set<std::string> seen;
    do {
      const Location where = tokens_.here();
      auto value = tokens_.expect_name("an enumerator");
      if (!value) return std::unexpected(value.error());
      if (!seen.insert(value->text).second)
        return fail(where, "'{}' is declared already", value->text);
      if (tokens_.take_if("=")) {
        auto number = bound(tokens_);
        if (!number) return std::unexpected(number.error());
        if (!*number) return std::unexpected(tokens_.unexpected("a number"));
        next = **number;
      }
      for (const Enumerator& e : decl.values)
        if (e.value == next)
          return fail(where, "'{}' has the same value as '{}'", value->text, e.name);
      decl.values.push_back({value->text, next});
      next = next + 1;
    } while (tokens_.take_if(","));
    TRY(tokens_.expect("}"));
    module_.enums.push_back(module_.arena->enum_sort(std::move(decl)));
    return done(item);
  }

  Result<void> record_name(Item& item) {
    // In C++ a class may be thrown and pointed to: its name stands for an exception and a record.
    auto name = tokens_.expect_name("the name of a record");
    if (!name) return std::unexpected(name.error());
    const bool is_thrown = std::ranges::find(module_.exceptions, name->text, &Exception::name) !=
                           module_.exceptions.end();
    if (!declared_.insert(is_thrown ? "record " + name->text : name->text).second)
      return fail(tokens_.where(*name), "'{}' is declared already", name->text);
    item.index = module_.records.size();
    module_.records.push_back({name->text, {}});
    return {};
  }

  Result<void> record(Item& item) {
    TRY(tokens_.expect("{"));
    const std::string record = module_.records[item.index].name;
    while (!tokens_.at("}")) {
      auto field = tokens_.expect_name("a field");
      if (!field) return std::unexpected(field.error());
      const std::string full = record + "." + field->text;
      if (!declared_.insert(full).second)
        return fail(tokens_.where(*field), "'{}' is declared already", full);
      TRY(tokens_.expect(":"));
      auto type = read_type(tokens_, module_);
      if (!type) return std::unexpected(type.error());
      module_.records[item.index].fields.emplace_back(field->text, *type);
      Type map{.sort = module_.arena->map_sort(module_.arena->ref_sort(), type->sort)};
      map.key = std::make_shared<Type>(Type{.sort = module_.arena->ref_sort(), .record = record});
      map.value = std::make_shared<Type>(*type);
      StateVariable v;
      v.term = module_.arena->var(full, map.sort);
      v.type = std::move(map);
      v.record = record;
      TRY(read_attributes(tokens_, v));
      module_.state.push_back(std::move(v));
      if (!tokens_.take_if(",")) break;
    }
    TRY(tokens_.expect("}"));
    return done(item);
  }

  Result<void> state(Item& item) {
    StateVariable v;
    if (item.word == "client") {
      TRY(tokens_.expect("state"));
      v.client = true;
    }
    const Location where = tokens_.here();
    auto name = declare("the name of a state variable");
    if (!name) return std::unexpected(name.error());
    TRY(tokens_.expect(":"));
    auto type = read_type(tokens_, module_);
    if (!type) return std::unexpected(type.error());
    v.type = *type;
    v.term = module_.arena->var(*name, v.type.sort);
    TRY(read_attributes(tokens_, v));
    item.index = module_.state.size();
    module_.state.push_back(std::move(v));
    state_at_[*name] = where;
    return {};
  }

  Result<void> state_value(Item& item) {
    StateVariable& v = module_.state[item.index];
    if (tokens_.take_if("=")) {
      const Location where = tokens_.here();
      auto value = read_expression(tokens_, *module_.arena, ModuleScope(module_), v.type.sort);
      if (!value) return std::unexpected(value.error());
      if (!variables(*value).empty())
        return fail(where, "the initial value of '{}' is not a constant", v.name());
      auto number = evaluate(*value, [](Term) { return Value(0); });
      if (!number) return fail(where, "{}", number.error().message);
      if (!contains(v.type, *number))
        return fail(where, "the initial value of '{}' is outside of its type {}", v.name(),
                    to_string(v.type));
      v.initial = *value;
    }
    return done(item);
  }

  Result<void> invariant(Item& item) {
    auto term =
        read_expression(tokens_, *module_.arena, ModuleScope(module_), module_.arena->bool_sort());
    if (!term) return std::unexpected(term.error());
    module_.invariants.push_back(*term);
    return done(item);
  }

  Result<void> assumption(Item& item) {
    auto text = read_text(tokens_);
    if (!text) return std::unexpected(text.error());
    module_.assumptions.push_back(*text);
    return done(item);
  }

  Result<void> left_out(Item& item) {
    auto name = tokens_.expect_name("the name of a method");
    if (!name) return std::unexpected(name.error());
    auto reason = read_text(tokens_);
    if (!reason) return std::unexpected(reason.error());
    module_.left_out.push_back({name->text, *reason});
    return done(item);
  }

  Result<void> literal(Item& item) {
    auto text = read_text(tokens_);
    if (!text) return std::unexpected(text.error());
    auto number = bound(tokens_);
    if (!number) return std::unexpected(number.error());
    if (!*number) return std::unexpected(tokens_.unexpected("a number"));
    module_.literals[*text] = **number;
    return done(item);
  }

  Result<void> signature(Item& item) {
    static const std::map<std::string_view, ProcedureKind> kinds = {
        {"method", ProcedureKind::Method},
        {"constructor", ProcedureKind::Constructor},
        {"procedure", ProcedureKind::Internal},
        {"extern", ProcedureKind::Extern}};
    Procedure p;
    p.kind = kinds.at(item.word);
    p.where = tokens_.here();
    auto name = tokens_.expect_name("the name of a " + item.word);
    if (!name) return std::unexpected(name.error());
    // A constructor may bear the name of a method or of the component: they are told apart by kind.
    const std::string key =
        (p.kind == ProcedureKind::Constructor ? "constructor " : "procedure ") + name->text;
    if (!declared_.insert(key).second) return fail(p.where, "'{}' is declared already", name->text);
    p.name = name->text;
    TRY(tokens_.expect("("));
    while (!tokens_.at(")")) {
      auto parameter = tokens_.expect_name("a parameter");
      if (!parameter) return std::unexpected(parameter.error());
      if (p.find_local(parameter->text) || module_.find_state(parameter->text))
        return fail(tokens_.where(*parameter), "'{}' is declared already", parameter->text);
      TRY(tokens_.expect(":"));
      auto type = read_type(tokens_, module_);
      if (!type) return std::unexpected(type.error());
      p.parameters.push_back({module_.arena->var(parameter->text, type->sort), *type});
      TRY(read_attributes(tokens_, p.parameters.back()));
      if (!tokens_.take_if(",")) break;
    }
    TRY(tokens_.expect(")"));
    if (tokens_.take_if(":")) {
      auto type = read_type(tokens_, module_);
      if (!type) return std::unexpected(type.error());
      p.returns = *type;
    }
    TRY(procedure_attributes(p));
    item.index = module_.procedures.size();
    module_.procedures.push_back(std::move(p));
    return {};
  }

  Result<void> procedure_attributes(Procedure& p) {
    static const std::map<std::string_view, Origin> origins = {
        {"own", Origin::Own},
        {"collaborator", Origin::Collaborator},
        {"contract", Origin::Contract},
        {"unknown", Origin::Unknown}};
    static const std::vector<std::pair<std::string_view, std::string Procedure::*>> texts = {
        {"shown", &Procedure::shown},
        {"object", &Procedure::object},
        {"made_by", &Procedure::made_by},
        {"beside", &Procedure::beside},
        {"out", &Procedure::out}};
    for (bool more = true; more;) {
      more = false;
      if (tokens_.take_if("origin")) {
        auto word = tokens_.expect_name("'own', 'collaborator', 'contract' or 'unknown'");
        if (!word) return std::unexpected(word.error());
        const auto found = origins.find(word->text);
        if (found == origins.end())
          return fail(tokens_.where(*word), "'{}' is no origin of code", word->text);
        p.origin = found->second;
        more = true;
      }
      for (const auto& [word, text] : texts)
        if (tokens_.take_if(word)) {
          auto value = read_text(tokens_);
          if (!value) return std::unexpected(value.error());
          p.*text = *value;
          more = true;
        }
    }
    return {};
  }

  Result<void> body(Item& item) {
    Procedure& p = module_.procedures[item.index];
    const bool external = p.kind == ProcedureKind::Extern;
    const bool by_contract =
        p.kind == ProcedureKind::Method || p.kind == ProcedureKind::Constructor;
    const ModuleScope scope(module_, &p);
    const EnsuresScope after(module_, p);
    while (!tokens_.at("{") && !tokens_.at(";")) {
      if (tokens_.at("requires") || ((external || by_contract) && tokens_.at("ensures"))) {
        const bool ensures = tokens_.take().text == "ensures";
        const Scope& names = ensures && by_contract ? static_cast<const Scope&>(after) : scope;
        auto term = read_expression(tokens_, *module_.arena, names, module_.arena->bool_sort());
        if (!term) return std::unexpected(term.error());
        (ensures ? p.ensures : p.preconditions).push_back(*term);
      } else if ((external && tokens_.at("throws")) ||
                 ((external || by_contract) && tokens_.at("writes"))) {
        TRY(clause(p));
      } else {
        return std::unexpected(
            tokens_.unexpected(external      ? "'throws', 'writes', 'ensures', a body or ';'"
                               : by_contract ? "a body, 'requires', 'writes' or 'ensures'"
                                             : "a body, or 'requires'"));
      }
    }
    const bool clauses = !p.writes.empty() || !p.throws.empty() || !p.ensures.empty();
    if (tokens_.at(";")) {
      if (!external && !(by_contract && clauses))
        return std::unexpected(tokens_.unexpected("a body"));
      if (by_contract) give_contract_body(module_, p);
      return done(item);
    }
    if (clauses)
      return fail(tokens_.here(), "{} has clauses or a body, not both",
                  external ? "an extern" : "'" + p.name + "'");
    TRY(read_body(tokens_, module_, p, site_file_));
    return done(item);
  }

  Result<void> clause(Procedure& p) {
    const bool throws = tokens_.take().text == "throws";
    do {
      auto name = tokens_.expect_name(throws ? "an exception" : "a state variable");
      if (!name) return std::unexpected(name.error());
      if (throws && !module_.find_exception(name->text))
        return fail(tokens_.where(*name), "'{}' is not a declared exception", name->text);
      if (!throws && !module_.find_state(name->text))
        return fail(tokens_.where(*name), "'{}' is not a state variable", name->text);
      (throws ? p.throws : p.writes).push_back(name->text);
    } while (tokens_.take_if(","));
    return {};
  }

  TokenStream tokens_;
  Module module_;
  std::string site_file_;
  std::vector<Item> items_;
  std::set<std::string> declared_;
  std::vector<Location> parents_at_;
  std::map<std::string, Location> state_at_;
};

} // namespace

Result<Module> read_module(std::string_view text, const std::string& file,
                           std::shared_ptr<TermArena> arena) {
  auto tokens = tokenise(text, file);
  if (!tokens) return std::unexpected(tokens.error());
  return ModuleReader(TokenStream(std::move(*tokens), file), std::move(arena)).run();
}

} // namespace tacit
