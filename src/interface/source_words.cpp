#include "interface/source_words.h"

#include <algorithm>
#include <limits>

#include <fmt/ranges.h>

#include "interface/calling.h"
#include "interface/conditions.h"
#include "logic/term/lexer.h"
#include "logic/term/print.h"
#include "program/ir/reals.h"
#include "program/text/read.h"

namespace tacit {

namespace {

/// At the operator, outside of brackets and quoted names.
std::vector<std::string> split(const std::string& text, std::string_view at) {
  std::vector<std::string> parts{""};
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '`') quoted = !quoted;
    if (!quoted && (c == '(' || c == '[' || c == '{')) ++depth;
    if (!quoted && (c == ')' || c == ']' || c == '}')) --depth;
    if (!quoted && depth == 0 && text.compare(i, at.size(), at) == 0) {
      parts.emplace_back();
      i += at.size() - 1;
      continue;
    }
    parts.back() += c;
  }
  return parts;
}

/// The references that have to lead somewhere before anything is done: `assume name != null` at
/// the very beginning.
std::set<std::string> required_references(const Procedure& body) {
  std::set<std::string> required;
  if (body.blocks.empty()) return required;
  for (const Statement& first : body.blocks.front().statements) {
    if (first.kind != StatementKind::Assume) continue;
    const std::string text = to_string(first.value);
    for (const Variable& parameter : body.parameters)
      if (text == to_string(parameter.term) + " != null") required.emplace(parameter.name());
  }
  return required;
}

/// Objects of the library that hold something or nothing.
constexpr std::string_view pointers[] = {"shared_ptr", "unique_ptr", "weak_ptr", "function"};
constexpr std::string_view leads_somewhere = " != nullptr", leads_nowhere = " == nullptr";

/// The key of Java's containers that is no reference.
constexpr std::string_view null_key = "9223372036854775809";

constexpr std::string_view sizes[] = {"size", "length", "count"};

/// `'@'` of 64; nothing for what is no plain character.
std::optional<std::string> shown_character(std::string_view digits) {
  const auto code = parse_integer(digits);
  if (!code || *code < ' ' || *code > '~') return std::nullopt;
  const char c = static_cast<char>(*code);
  return c == '\'' || c == '\\' ? fmt::format("'\\{}'", c) : fmt::format("'{}'", c);
}

/// A question to a text, `find(64)`, with its character or text as the source has it.
std::string shown_question(const std::string& owner, std::string_view method,
                           std::string_view given) {
  constexpr std::string_view of_characters[] = {"find",     "rfind",   "starts_with", "ends_with",
                                                "contains", "indexOf", "lastIndexOf"};
  if (method == "at" && parse_integer(given)) return fmt::format("{}[{}]", owner, given);
  const bool searches = method.starts_with("find_") ||
                        std::ranges::find(of_characters, method) != std::end(of_characters);
  const std::size_t comma = given.rfind(',');
  const std::string_view first = given.substr(0, comma);
  if (const auto character = searches ? shown_character(first) : std::nullopt)
    return fmt::format("{}.{}({}{})", owner, method, *character, given.substr(first.size()));
  // Positions stand in front of the text of a comparison, and behind that of a search.
  const std::size_t text = method == "compare" && comma != given.npos ? comma + 1 : 0;
  const std::size_t end = method == "compare" || comma == given.npos ? given.size() : comma;
  std::string_view said = given.substr(text, end - text);
  const bool digits = said.size() > 2 && said.front() == '\'' && said.back() == '\'';
  if (digits) said = said.substr(1, said.size() - 2);
  const bool quotes = digits || (!said.empty() && said[0] != '"' && !parse_integer(said));
  return fmt::format("{}.{}({}{}{}{}{})", owner, method, given.substr(0, text), quotes ? "\"" : "",
                     said, quotes ? "\"" : "", given.substr(end));
}

/// The text itself, or a part of it.
bool says_text(const ArgumentFact& fact) {
  return fact.name == "text" || fact.name.ends_with(").text");
}

/// `size` is a call in the language, a text is what it says, the other facts are fields.
std::string shown_fact(const std::string& language, const ArgumentFact& fact) {
  const std::string owner(source_name(fact.object));
  const std::string_view name = fact.name;
  if (name == "text") return owner;
  if (name == "set" && std::ranges::find(pointers, fact.record) != std::end(pointers))
    return owner + std::string(leads_somewhere);
  if (const std::size_t part = name.find(")."); part != std::string_view::npos && part > 0) {
    const std::string cut =
        shown_fact(language, {fact.object, name.substr(0, part + 1), fact.record});
    return shown_fact(language, {cut, name.substr(part + 2), fact.record});
  }
  if (language == "c" && fact.record == "char" && name == "size") return "strlen(" + owner + ")";
  if (const std::size_t open = name.find('(');
      open != std::string_view::npos && name.ends_with(')'))
    return shown_question(owner, name.substr(0, open),
                          name.substr(open + 1, name.size() - open - 2));
  const bool asks = language == "java" && name.size() > 2 && name.starts_with("is") &&
                    std::isupper(static_cast<unsigned char>(name[2])) != 0;
  const bool call = asks || name == "back" || std::ranges::find(sizes, name) != std::end(sizes);
  return owner + "." + std::string(name) + (call ? "()" : "");
}

/// `x != 4` says nothing beside `x == 3`.
void drop_implied(std::vector<std::string>& conjuncts) {
  const auto number_of = [](const std::string& text, std::string_view symbol) {
    const std::size_t at = text.find(symbol);
    const std::size_t from = at == std::string::npos ? at : at + symbol.size();
    const bool negative = from < text.size() && text[from] == '-';
    if (from == std::string::npos) return std::pair<std::string, std::optional<Integer>>();
    return std::pair{text.substr(0, at), parse_integer(text.substr(from + (negative ? 1 : 0)))};
  };
  std::set<std::string> known;
  for (const std::string& one : conjuncts)
    if (const auto [what, number] = number_of(one, " == "); number) known.insert(what);
  std::erase_if(conjuncts, [&](const std::string& one) {
    const auto [what, number] = number_of(one, " != ");
    return number && known.contains(what);
  });
}

/// `a && b` says nothing beside `|| a`.
void drop_narrower(std::vector<std::vector<std::string>>& alternatives) {
  const auto within = [](const auto& narrow, const auto& wide) {
    return std::ranges::all_of(wide, [&](const std::string& one) {
      return std::ranges::find(narrow, one) != narrow.end();
    });
  };
  std::vector<std::vector<std::string>> left;
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    bool said = false;
    for (std::size_t j = 0; j < alternatives.size() && !said; ++j)
      said = j != i && within(alternatives[i], alternatives[j]) &&
             (j < i || !within(alternatives[j], alternatives[i]));
    if (!said) left.push_back(alternatives[i]);
  }
  alternatives = std::move(left);
}

/// A number that is the place of a floating point number that people write (reals.h): others are
/// too small for that, or have no short form.
std::optional<std::string> shown_real(const std::string& language, std::string_view digits) {
  constexpr Integer first = Integer{1} << 52;
  constexpr std::size_t short_form = 10;
  if (language != "c" && language != "cpp") return std::nullopt;
  const auto place = parse_integer(digits);
  if (!place || *place < first || *place > *place_of(std::numeric_limits<double>::max()))
    return std::nullopt;
  std::string text = real_text(*place);
  return text.size() <= short_form ? std::optional(std::move(text)) : std::nullopt;
}

} // namespace

std::optional<ArgumentFact> argument_fact(std::string_view text) {
  const std::size_t open = text.find('[');
  if (open == std::string_view::npos || !text.ends_with(']')) return std::nullopt;
  const std::size_t dot = text.substr(0, open).rfind('.', text.find('('));
  if (dot == std::string_view::npos) return std::nullopt;
  return ArgumentFact{text.substr(open + 1, text.size() - open - 2),
                      text.substr(dot + 1, open - dot - 1), text.substr(0, dot)};
}

std::vector<std::vector<std::string>> alternatives_of(const std::string& condition) {
  if (split(condition, " ? ").size() > 1) return {{condition}};
  std::vector<std::vector<std::string>> all;
  for (const std::string& alternative : split(condition, " || "))
    all.push_back(split(alternative, " && "));
  return all;
}

SourceWords::SourceWords(const Interface& interface) : interface_(interface) {
  if (interface.tir.empty()) return;
  const auto module = read_module(interface.tir, interface.component_name + ".tir");
  if (!module) return;
  for (const StateVariable& v : module->state) {
    state_.insert(v.name());
    if (v.shown_name() != v.name()) shown_[v.name()] = v.shown_name();
    if (v.address != Address::None) never_null_.insert(v.name());
    if (const Sort sort = v.term->sort; sort->kind == SortKind::Enum && sort->decl)
      for (const Enumerator& one : sort->decl->values) {
        enumerations_[quote_name(v.name())].push_back(quote_name(one.name));
        if (one.name == "no_" + sort->decl->name) nulls_.insert(one.name);
      }
  }
  for (const auto& [text, number] : module->literals) literals_[number] = text;
  const Calling calling(interface, *module);
  const auto require = [&](const std::string& name) {
    if (const Procedure* body = calling.procedure(name))
      required_[name] = required_references(*body);
  };
  for (const InterfaceCall& call : interface.calls) require(call.name);
  for (const InitialState& start : interface.initial) require(start.constructor);
}

/// One condition, token by token; what stands between tokens stays as it is.
class SourceWords::Writer {
public:
  Writer(const SourceWords& words, std::string_view text, const std::vector<Token>& tokens)
      : words_(words), text_(text), tokens_(tokens) {}

  std::string run() {
    for (at_ = 0; at_ + 1 < tokens_.size(); ++at_) {
      const Token& token = tokens_[at_];
      if (token.kind == TokenKind::Symbol && token.text == "[") {
        closes_.push_back(contains_ ? ")" : "]");
        if (contains_) replace(at_, "(");
      } else if (token.kind == TokenKind::Symbol && token.text == "]" && !closes_.empty()) {
        replace(at_, closes_.back());
        closes_.pop_back();
      } else if (contains_ || (!closes_.empty() && closes_.back() == ")")) {
        literal(at_);
      }
      contains_ = false;
      if (token.text == "-" && this->token(at_ + 1) == null_key && begin(at_) >= copied_ &&
          words_.interface_.language == "java")
        replace(at_, at_ + 1, "null");
      if (token.kind == TokenKind::Name) name();
      if (token.kind == TokenKind::Number && begin(at_) >= copied_)
        if (const auto real = shown_real(words_.interface_.language, token.text))
          replace(at_, *real);
    }
    return shown_ + std::string(text_.substr(copied_));
  }

private:
  std::size_t begin(std::size_t i) const { return static_cast<std::size_t>(tokens_[i].column - 1); }
  std::size_t end(std::size_t i) const {
    return begin(i) + tokens_[i].text.size() + (text_[begin(i)] == '`' ? 2 : 0);
  }
  /// The token, or what ends the text.
  const std::string& token(std::size_t i) const {
    return tokens_[std::min(i, tokens_.size() - 1)].text;
  }

  void replace(std::size_t from, std::size_t to, std::string_view by) {
    shown_ += text_.substr(copied_, begin(from) - copied_);
    shown_ += by;
    copied_ = end(to);
    at_ = to;
  }
  void replace(std::size_t one, std::string_view by) { replace(one, one, by); }

  void name() {
    const std::string& text = tokens_[at_].text;
    const std::string& language = words_.interface_.language;
    if (text == "null" && language != "java" && language != "tir")
      return replace(at_, language == "c" ? "NULL" : "nullptr");
    if (const auto fact = argument_fact(text)) {
      const std::size_t last = at_;
      write(at_, shown_fact(language, *fact), says_text(*fact));
      return answer_literal(fact->name, last);
    }
    if (words_.nulls_.contains(text)) return replace(at_, "null");
    if (asks_for_key(text)) return;
    const auto& tracked = words_.interface_.tracked;
    const auto value = std::ranges::find(tracked, text, &TrackedValue::name);
    if (value != tracked.end()) {
      const auto variable = words_.shown_.find(value->term);
      const bool plain = !value->type.contains('<') && variable != words_.shown_.end();
      const std::string& otherwise = plain ? variable->second : value->name;
      return write(at_, value->shown.empty() ? otherwise : value->shown, false);
    }
    const std::size_t dot = text.rfind('.', text.find('('));
    if (dot != std::string::npos && token(at_ + 1) == "[" && token(at_ + 3) == "]" &&
        tokens_[at_ + 2].kind == TokenKind::Name && !words_.shown_.contains(text)) {
      const ArgumentFact fact{token(at_ + 2), std::string_view(text).substr(dot + 1),
                              std::string_view(text).substr(0, dot)};
      const std::size_t last = at_ + 3;
      write(last, shown_fact(language, fact), says_text(fact));
      return answer_literal(fact.name, last);
    }
    if (const auto known = words_.shown_.find(text); known != words_.shown_.end()) {
      contains_ = known->second.ends_with(".contains");
      return write(at_, known->second, text.ends_with(".text"));
    }
    const std::string_view plain = source_name(text);
    if (token(at_ + 1) != "(" && !words_.state_.contains(text) &&
        plain.find(' ') == std::string_view::npos)
      replace(at_, plain);
  }

  /// `items.has[key]`.
  bool asks_for_key(const std::string& text) {
    const std::string asked = words_.key_question(text);
    if (asked.empty() || token(at_ + 1) != "[") return false;
    contains_ = true;
    write(at_, asked, false);
    return true;
  }

  /// The number that an answer of a text is compared with: a character, or no position.
  void answer_literal(std::string_view question, std::size_t last) {
    static const std::set<std::string> comparisons = {"==", "!=", "<", "<=", ">", ">="};
    if (!comparisons.contains(token(last + 1)) || last + 2 >= tokens_.size() ||
        tokens_[last + 2].kind != TokenKind::Number)
      return;
    const std::string& number = token(last + 2);
    if (number == "18446744073709551615") return replace(last + 2, "std::string::npos");
    if (question != "back" && !question.starts_with("at(") && !question.starts_with("charAt("))
      return;
    if (const auto character = shown_character(number)) replace(last + 2, *character);
  }

  /// What was named up to a token, with the comparison that follows where the source says that
  /// otherwise.
  void write(std::size_t last, const std::string& shown, bool is_text) {
    const std::string before = at_ == 0 ? "" : token(at_ - 1);
    const bool alone = before.empty() || before == "(" || before == "!" || before == "&&" ||
                       before == "||" || before == "?" || before == ":" || before == "=>";
    if (shown.ends_with(leads_somewhere)) {
      // Of what is asked whether it is there, the question or its contrary.
      const std::string object = shown.substr(0, shown.size() - leads_somewhere.size());
      const bool not_there = before == "!" && begin(at_ - 1) >= copied_;
      const bool compared =
          token(last + 1) == "==" || token(last + 1) == "!=" || (!alone && at_ > 0);
      const std::string question =
          object + std::string(not_there ? leads_nowhere : leads_somewhere);
      return replace(not_there ? at_ - 1 : at_, last, compared ? "(" + question + ")" : question);
    }
    if (alone && (compares_size(last, shown) || (is_text && compares_empty(last, shown)))) return;
    replace(at_, last, shown);
    if (is_text && (token(last + 1) == "==" || token(last + 1) == "!=")) literal(last + 2);
  }

  /// 0 is the text that says nothing.
  bool compares_empty(std::size_t last, const std::string& shown) {
    const std::string& by = token(last + 1);
    const std::string& language = words_.interface_.language;
    if ((by != "==" && by != "!=") || token(last + 2) != "0" || language == "c") return false;
    replace(at_, last + 2,
            (by == "==" ? "" : "!") + shown + (language == "java" ? ".isEmpty()" : ".empty()"));
    return true;
  }

  bool compares_size(std::size_t last, const std::string& shown) {
    for (const std::string_view size : {".size()", ".length()"}) {
      if (!shown.ends_with(size)) continue;
      const std::string& by = token(last + 1);
      const std::string &number = token(last + 2), &after = token(last + 3);
      if (after == "+" || after == "-" || after == "*") return false;
      const bool empty =
          ((by == "==" || by == "<=") && number == "0") || (by == "<" && number == "1");
      const bool filled =
          ((by == "!=" || by == ">") && number == "0") || (by == ">=" && number == "1");
      if (!empty && !filled) return false;
      const std::string object = shown.substr(0, shown.size() - size.size());
      replace(at_, last + 2,
              (filled ? "!" : "") + object +
                  (words_.interface_.language == "java" ? ".isEmpty()" : ".empty()"));
      return true;
    }
    return false;
  }

  /// The text that a number stands for.
  void literal(std::size_t i) {
    const bool negative = token(i) == "-";
    const std::size_t last = i + (negative ? 1 : 0);
    if (last + 1 >= tokens_.size() || tokens_[last].kind != TokenKind::Number) return;
    const auto number = parse_integer(tokens_[last].text);
    if (!number) return;
    const auto known = words_.literals_.find(negative ? -*number : *number);
    if (known != words_.literals_.end()) replace(i, last, "\"" + known->second + "\"");
  }

  const SourceWords& words_;
  std::string_view text_;
  const std::vector<Token>& tokens_;
  std::string shown_;
  std::size_t copied_ = 0; // of the text
  std::size_t at_ = 0;
  std::vector<std::string> closes_; // what open brackets end with
  bool contains_ = false;           // a question to a set was named
};

namespace {

/// `s.size() <= s.find(':')`: it is nowhere.
std::string with_positions(std::string text) {
  constexpr std::string_view nowhere = ".size() <= ", somewhere = " < ";
  const auto name_before = [&](std::size_t end) {
    std::size_t from = end;
    while (from > 0 && (std::isalnum(static_cast<unsigned char>(text[from - 1])) != 0 ||
                        std::string_view("_.").contains(text[from - 1])))
      --from;
    return text.substr(from, end - from);
  };
  const auto question_end = [&](std::size_t from) {
    const std::string_view rest = std::string_view(text).substr(from);
    const bool asks = rest.starts_with(".find") || rest.starts_with(".rfind");
    bool quoted = false;
    for (std::size_t i = from; asks && i < text.size(); ++i) {
      if (text[i] == '"' || text[i] == '\'') quoted = !quoted;
      if (!quoted && text[i] == ')') return i + 1;
    }
    return std::string::npos;
  };
  for (std::size_t at = text.find(nowhere); at != std::string::npos;
       at = text.find(nowhere, at + 1)) {
    const std::string name = name_before(at);
    const std::size_t asked = at + nowhere.size();
    if (name.empty() || text.compare(asked, name.size(), name) != 0) continue;
    const std::size_t end = question_end(asked + name.size());
    if (end == std::string::npos) continue;
    const std::size_t from = at - name.size();
    text.replace(from, end - from, text.substr(asked, end - asked) + " == std::string::npos");
  }
  for (std::size_t at = text.find(somewhere); at != std::string::npos;
       at = text.find(somewhere, at + 1)) {
    const std::size_t size = text.find(".size()", at);
    if (size == std::string::npos) break;
    const std::string name = text.substr(at + somewhere.size(), size - at - somewhere.size());
    const std::size_t asked = text.rfind(name + ".", at);
    if (name.empty() || asked == std::string::npos || question_end(asked + name.size()) != at)
      continue;
    text.replace(at, size + 7 - at, " != std::string::npos");
  }
  return text;
}

} // namespace

std::string SourceWords::condition(std::string_view text) const {
  const auto tokens = tokenise(text, "");
  if (!tokens || text.find('\n') != std::string_view::npos) return std::string(text);
  std::string shown = Writer(*this, text, *tokens).run();
  return interface_.language == "cpp" ? with_positions(std::move(shown)) : shown;
}

std::string SourceWords::key_question(const std::string& name) const {
  const auto value = std::ranges::find(interface_.tracked, name, &TrackedValue::name);
  const std::string& variable = value == interface_.tracked.end() ? name : value->term;
  if (!state_.contains(variable)) return "";
  const auto known = shown_.find(variable);
  const std::string& shown = known == shown_.end() ? variable : known->second;
  if (shown.ends_with(".contains")) return shown;
  if (interface_.language != "java" || !shown.ends_with(".has")) return "";
  const std::string object = shown.substr(0, shown.size() - 4);
  return object + (state_.contains(object + ".value") ? ".containsKey" : ".contains");
}

std::string SourceWords::keys_owner(const std::string& name) const {
  const std::string asked = key_question(name);
  return asked.substr(0, asked.rfind('.'));
}

std::string SourceWords::key_update(const std::string& name, const std::string& value) const {
  const std::string owner = keys_owner(name);
  const std::string self = quote_name(name) + "[";
  if (owner.empty()) return "";
  if (value == "all(false)") return owner + " := {}";
  const bool in = value.ends_with(" := true]"), out = value.ends_with(" := false]");
  if (!value.starts_with(self) || (!in && !out)) return "";
  const std::size_t end = value.size() - std::string_view(in ? " := true]" : " := false]").size();
  // As a question writes it: numbers of texts are texts there.
  const std::string question = key_question(name) + "(";
  std::string key = condition(value.substr(0, end) + "]");
  if (!key.starts_with(question) || !key.ends_with(')')) return "";
  key = key.substr(question.size(), key.size() - question.size() - 1);
  if (key.find(" := ") != key.npos) return ""; // several
  // A reference that is null has a key of its own.
  if (const std::size_t at = key.find(" == null ? null : ");
      at != key.npos && key.ends_with(" : " + key.substr(0, at)))
    key.resize(at);
  return owner + (in ? " + " : " - ") + key;
}

std::string SourceWords::field(const std::string& name) const {
  if (never_null_.contains(name)) return "";
  return conjunct(state_.contains(name) ? quote_name(name) : name);
}

std::string SourceWords::conjunct(const std::string& text) const {
  for (const std::string& name : never_null_)
    if (text == name + " != null" || text == "`" + name + "` != null") return "";
  return text == "this != null" ? "" : condition(text);
}

/// Without what holds of everything that can be passed, and without alternatives that nothing that
/// can be passed fulfils.
std::vector<std::vector<std::string>>
SourceWords::possible_alternatives(std::string_view call, const std::string& text) const {
  if (text.empty()) return {{}};
  const auto found = required_.find(std::string(call));
  static const std::set<std::string> none;
  const std::set<std::string>& required = found == required_.end() ? none : found->second;
  const auto is = [&](std::string_view literal, std::string_view symbol) {
    return std::ranges::any_of(required, [&](const std::string& name) {
      return literal == quote_name(name) + std::string(symbol) + "null";
    });
  };
  // Not one of several that are all required.
  const auto missing = [&](const std::string& literal) {
    if (is(literal, " == ")) return true;
    if (!literal.starts_with("!(") || !literal.ends_with(")")) return false;
    const auto inner = alternatives_of(literal.substr(2, literal.size() - 3));
    return inner.size() == 1 &&
           std::ranges::all_of(inner[0], [&](const auto& one) { return is(one, " != "); });
  };
  std::vector<std::vector<std::string>> left;
  for (std::vector<std::string>& conjuncts : alternatives_of(text)) {
    if (std::ranges::any_of(conjuncts, missing)) continue;
    std::erase_if(conjuncts, [&](const std::string& one) { return is(one, " != "); });
    left.push_back(std::move(conjuncts));
  }
  return left;
}

std::string SourceWords::guard(std::string_view call, const std::string& text,
                               const std::string& cell) const {
  const auto some = possible_alternatives(call, text), others = possible_alternatives(call, cell);
  const auto joined = [](const std::vector<std::vector<std::string>>& alternatives) {
    std::vector<std::string> parts;
    for (const auto& conjuncts : alternatives)
      parts.push_back(fmt::format("{}", fmt::join(conjuncts, " && ")));
    return fmt::format("{}", fmt::join(parts, " || "));
  };
  if (some.empty() || others.empty()) return "false";
  std::vector<std::vector<std::string>> both;
  for (const auto& one : some)
    for (const auto& other : others) {
      auto conjuncts = one;
      for (const std::string& more : other)
        if (std::ranges::find(conjuncts, more) == conjuncts.end()) conjuncts.push_back(more);
      drop_implied(conjuncts);
      if (conjuncts.empty()) return "";
      both.push_back(std::move(conjuncts));
    }
  drop_narrower(both);
  const std::string product = condition(joined(both));
  const auto in_brackets = [&](const std::vector<std::vector<std::string>>& alternatives) {
    return alternatives.size() > 1 ? "(" + joined(alternatives) + ")" : joined(alternatives);
  };
  const auto says_nothing = [](const auto& alternatives) {
    return std::ranges::any_of(alternatives, [](const auto& one) { return one.empty(); });
  };
  if (says_nothing(some) || says_nothing(others)) return product;
  const std::string factors = condition(in_brackets(some) + " && " + in_brackets(others));
  return factors.size() < product.size() ? factors : product;
}

} // namespace tacit
