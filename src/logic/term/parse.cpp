// Recursive descent. Enumerators are looked up with the sort that the context wants, so `state ==
// SIGN` needs no qualification: the right side of a comparison is read with the sort of the left,
// and when the left side is an enumerator it is read again once the right side's sort is known.
#include "logic/term/parse.h"

#include <algorithm>
#include <map>
#include <set>

#include "logic/term/print.h"

namespace tacit {
namespace {

constexpr int max_depth = 400;

class ExpressionReader {
public:
  ExpressionReader(TokenStream& tokens, TermArena& arena, const Scope& scope)
      : tokens_(tokens), arena_(arena), scope_(scope) {}

  Result<Term> read(Sort wanted) {
    const Location start = tokens_.here();
    auto term = conditional(wanted);
    if (term && wanted && (*term)->sort != wanted)
      return fail(start, "this is of type {}, but {} is needed here", to_string((*term)->sort),
                  to_string(wanted));
    return term;
  }

private:
  Result<Term> conditional(Sort wanted) {
    if (++depth_ > max_depth) return fail(tokens_.here(), "this expression is nested too deeply");
    auto result = conditional_inner(wanted);
    --depth_;
    return result;
  }

  Result<Term> conditional_inner(Sort wanted) {
    const Location start = tokens_.here();
    auto first = implication(tokens_.position(), wanted);
    if (!first || !tokens_.at("?")) return first;
    if (auto ok = need(*first, arena_.bool_sort(), start); !ok) return ok;
    tokens_.take();
    auto a = conditional(wanted);
    if (!a) return a;
    if (auto colon = tokens_.expect(":"); !colon) return std::unexpected(colon.error());
    const Location at_b = tokens_.here();
    auto b = conditional((*a)->sort);
    if (!b) return b;
    if (auto ok = need(*b, (*a)->sort, at_b); !ok) return ok;
    return arena_.ite(*first, *a, *b);
  }

  Result<Term> need(Term t, Sort sort, const Location& where) {
    if (t->sort == sort) return t;
    return fail(where, "this is of type {}, but {} is needed here", to_string(t->sort),
                to_string(sort));
  }

  Result<Term> implication(std::size_t, Sort wanted) {
    const Location start = tokens_.here();
    auto a = disjunction(wanted);
    if (!a || !tokens_.at("=>")) return a;
    if (auto ok = need(*a, arena_.bool_sort(), start); !ok) return ok;
    tokens_.take();
    const Location at_b = tokens_.here();
    auto b = implication(0, arena_.bool_sort());
    if (!b) return b;
    if (auto ok = need(*b, arena_.bool_sort(), at_b); !ok) return ok;
    return arena_.implies(*a, *b);
  }

  Result<Term> disjunction(Sort wanted) {
    return chain("||", [this](Sort w) { return conjunction(w); }, wanted, /*is_and=*/false);
  }
  Result<Term> conjunction(Sort wanted) {
    return chain("&&", [this](Sort w) { return comparison(w); }, wanted, /*is_and=*/true);
  }

  template <class Next>
  Result<Term> chain(std::string_view op, Next next, Sort wanted, bool is_and) {
    const Location start = tokens_.here();
    auto a = next(wanted);
    if (!a || !tokens_.at(op)) return a;
    if (auto ok = need(*a, arena_.bool_sort(), start); !ok) return ok;
    std::vector<Term> parts{*a};
    while (tokens_.take_if(op)) {
      const Location at_b = tokens_.here();
      auto b = next(arena_.bool_sort());
      if (!b) return b;
      if (auto ok = need(*b, arena_.bool_sort(), at_b); !ok) return ok;
      parts.push_back(*b);
    }
    return is_and ? arena_.conj(std::move(parts)) : arena_.disj(std::move(parts));
  }

  static bool is_comparison(const TokenStream& t) {
    for (std::string_view op : {"==", "!=", "<", "<=", ">", ">="})
      if (t.at(op)) return t.peek().kind == TokenKind::Symbol;
    return false;
  }

  // Where the comparison's left operand ends, if this is a comparison; needed to read an enumerator
  // on the left.
  Result<Term> comparison(Sort wanted) {
    const std::size_t start_position = tokens_.position();
    const Location start = tokens_.here();
    if (const Term test = null_test()) return test;
    auto a = sum(wanted == arena_.bool_sort() ? nullptr : wanted);
    if (!a) {
      // An enumerator on the left: skip it, read the right side, and come back with its sort.
      if (tokens_.peek(0).kind == TokenKind::End && start_position == tokens_.position()) return a;
      auto again = enumerator_first(start_position, a.error());
      if (again) return again;
      return std::unexpected(again.error());
    }
    if (tokens_.at("in")) return membership(*a);
    if (tokens_.at("is")) return exception_test(*a);
    if (!is_comparison(tokens_)) return a;
    const Token op = tokens_.take();
    const Location at_b = tokens_.here();
    auto b = sum((*a)->sort);
    if (!b) return b;
    if ((*a)->sort != (*b)->sort && (*a)->op == Op::EnumConst) {
      tokens_.rewind(start_position);
      auto retry = sum((*b)->sort);
      if (!retry) return retry;
      a = retry;
      tokens_.take();
      b = sum((*a)->sort);
      if (!b) return b;
    }
    return compare(op, *a, *b, start, at_b);
  }

  /// `x != null` where that is the name of a variable (print.h); nullptr elsewhere.
  Term null_test() {
    const Token& object = tokens_.peek();
    if (object.kind != TokenKind::Name || !(tokens_.at("!=", 1) || tokens_.at("==", 1)) ||
        !tokens_.at("null", 2))
      return nullptr;
    if (const Term known = scope_.lookup(object.text); known && known->sort == arena_.ref_sort())
      return nullptr;
    const Term test = scope_.lookup(object.text + std::string(not_null_suffix));
    if (!test || test->sort != arena_.bool_sort()) return nullptr;
    const bool negated = tokens_.at("==", 1);
    for (int i = 0; i < 3; ++i) tokens_.take();
    return negated ? arena_.negate(test) : test;
  }

  Result<Term> enumerator_first(std::size_t start_position, const Diagnostic& original) {
    tokens_.rewind(start_position);
    if (tokens_.peek().kind != TokenKind::Name) return std::unexpected(original);
    const Token& op = tokens_.peek(1);
    if (op.kind != TokenKind::Symbol || !(op.text == "==" || op.text == "!=" || op.text == "<" ||
                                          op.text == "<=" || op.text == ">" || op.text == ">="))
      return std::unexpected(original);
    const Location start = tokens_.here();
    tokens_.take();
    const Token operation = tokens_.take();
    const Location at_b = tokens_.here();
    auto b = sum(nullptr);
    if (!b || (*b)->sort->kind != SortKind::Enum) return std::unexpected(original);
    const std::size_t end = tokens_.position();
    tokens_.rewind(start_position);
    auto a = sum((*b)->sort);
    if (!a) return std::unexpected(original);
    tokens_.rewind(end);
    return compare(operation, *a, *b, start, at_b);
  }

  /// Names for numbers are numbers where they stand next to one.
  Term number_of(Term term) {
    if (term->op != Op::EnumConst || !term->sort->decl->numbers) return term;
    return arena_.integer(term->sort->decl->values[static_cast<std::size_t>(term->number)].value);
  }

  Result<Term> compare(const Token& op, Term a, Term b, const Location& start,
                       const Location& at_b) {
    if (a->sort->kind == SortKind::Int) b = number_of(b);
    if (b->sort->kind == SortKind::Int) a = number_of(a);
    if (a->sort != b->sort)
      return fail(at_b, "cannot compare {} with {}", to_string(a->sort), to_string(b->sort));
    if (op.text == "==") return arena_.eq(a, b);
    if (op.text == "!=") return arena_.ne(a, b);
    if (a->sort->kind != SortKind::Int && a->sort->kind != SortKind::Enum)
      return fail(start, "values of type {} are not ordered", to_string(a->sort));
    if (op.text == "<") return arena_.lt(a, b);
    if (op.text == "<=") return arena_.le(a, b);
    if (op.text == ">") return arena_.gt(a, b);
    return arena_.ge(a, b);
  }

  Result<Term> membership(Term a) {
    tokens_.take();
    if (tokens_.peek().kind == TokenKind::Name) {
      const Location where = tokens_.here();
      const std::string name = tokens_.take().text;
      const auto contains = scope_.operation(name + ".contains", arena_.bool_sort());
      const bool fits = contains && contains->parameters.size() == 1 &&
                        (!contains->parameters[0] || contains->parameters[0] == a->sort);
      if (Term test = fits ? contains->make({a}) : nullptr) return test;
      return fail(where, "'{}' is no set or map of elements of type {}", name, to_string(a->sort));
    }
    if (auto open = tokens_.expect("{"); !open) return std::unexpected(open.error());
    std::vector<Term> parts;
    do {
      const Location at_b = tokens_.here();
      auto b = sum(a->sort);
      if (!b) return b;
      if (auto ok = need(*b, a->sort, at_b); !ok) return ok;
      parts.push_back(arena_.eq(a, *b));
    } while (tokens_.take_if(","));
    if (auto close = tokens_.expect("}"); !close) return std::unexpected(close.error());
    return arena_.disj(std::move(parts));
  }

  Result<Term> exception_test(Term a) {
    const Location where = tokens_.here();
    tokens_.take();
    auto name = tokens_.expect_name("the name of an exception");
    if (!name) return std::unexpected(name.error());
    Term test = scope_.is_exception(a, name->text);
    if (!test)
      return fail(where, "'{}' is not an exception that this can be tested for", name->text);
    return test;
  }

  Result<Term> sum(Sort wanted) {
    const Location start = tokens_.here();
    auto a = product(wanted);
    while (a && (tokens_.at("+") || tokens_.at("-"))) {
      if (auto ok = need(*a, arena_.int_sort(), start); !ok) return ok;
      const bool plus = tokens_.take().text == "+";
      const Location at_b = tokens_.here();
      auto b = product(arena_.int_sort());
      if (!b) return b;
      if (auto ok = need(*b, arena_.int_sort(), at_b); !ok) return ok;
      a = plus ? arena_.add(*a, *b) : arena_.sub(*a, *b);
    }
    return a;
  }

  Result<Term> product(Sort wanted) {
    const Location start = tokens_.here();
    auto a = prefix(wanted);
    while (a && (tokens_.at("*") || tokens_.at("/") || tokens_.at("%"))) {
      if (auto ok = need(*a, arena_.int_sort(), start); !ok) return ok;
      const std::string op = tokens_.take().text;
      const Location at_b = tokens_.here();
      auto b = prefix(arena_.int_sort());
      if (!b) return b;
      if (auto ok = need(*b, arena_.int_sort(), at_b); !ok) return ok;
      a = op == "*" ? arena_.mul(*a, *b) : op == "/" ? arena_.div(*a, *b) : arena_.mod(*a, *b);
    }
    return a;
  }

  Result<Term> prefix(Sort wanted) {
    if (++depth_ > max_depth) return fail(tokens_.here(), "this expression is nested too deeply");
    auto result = prefix_inner(wanted);
    --depth_;
    return result;
  }

  Result<Term> prefix_inner(Sort wanted) {
    if (tokens_.take_if("!")) {
      const Location where = tokens_.here();
      auto a = prefix(arena_.bool_sort());
      if (!a) return a;
      if (auto ok = need(*a, arena_.bool_sort(), where); !ok) return ok;
      return arena_.negate(*a);
    }
    if (tokens_.take_if("-")) {
      const Location where = tokens_.here();
      auto a = prefix(arena_.int_sort());
      if (!a) return a;
      if (auto ok = need(*a, arena_.int_sort(), where); !ok) return ok;
      return arena_.neg(*a);
    }
    return postfix(wanted);
  }

  Result<Term> postfix(Sort wanted) {
    const Location start = tokens_.here();
    auto a = primary(wanted);
    while (a && tokens_.at("[")) {
      if ((*a)->sort->kind != SortKind::Map)
        return fail(start, "this is of type {}, which cannot be indexed", to_string((*a)->sort));
      tokens_.take();
      const Location at_key = tokens_.here();
      auto key = conditional((*a)->sort->key);
      if (!key) return key;
      if (auto ok = need(*key, (*a)->sort->key, at_key); !ok) return ok;
      if (tokens_.take_if(":=")) {
        const Location at_value = tokens_.here();
        auto value = conditional((*a)->sort->value);
        if (!value) return value;
        if (auto ok = need(*value, (*a)->sort->value, at_value); !ok) return ok;
        a = arena_.store(*a, *key, *value);
      } else {
        a = arena_.select(*a, *key);
      }
      if (auto close = tokens_.expect("]"); !close) return std::unexpected(close.error());
    }
    return a;
  }

  Result<Term> parenthesised(Sort wanted) {
    if (auto open = tokens_.expect("("); !open) return std::unexpected(open.error());
    const Location start = tokens_.here();
    auto a = conditional(wanted);
    if (!a) return a;
    if (wanted)
      if (auto ok = need(*a, wanted, start); !ok) return ok;
    if (auto close = tokens_.expect(")"); !close) return std::unexpected(close.error());
    return a;
  }

  static std::optional<std::pair<int, bool>> machine_width(std::string_view word) {
    static const std::map<std::string_view, std::pair<int, bool>> widths = {
        {"u8", {8, false}}, {"u16", {16, false}}, {"u32", {32, false}}, {"u64", {64, false}},
        {"s8", {8, true}},  {"s16", {16, true}},  {"s32", {32, true}},  {"s64", {64, true}}};
    auto found = widths.find(word);
    if (found == widths.end()) return std::nullopt;
    return found->second;
  }

  Result<Term> primary(Sort wanted) {
    const Token token = tokens_.peek();
    const Location where = tokens_.here();
    if (token.kind == TokenKind::Number) {
      tokens_.take();
      auto value = parse_integer(token.text);
      if (!value) {
        if (std::ranges::all_of(token.text, [](char c) { return c >= '0' && c <= '9'; }))
          return fail(where, "the number {} is too large", describe(token));
        return fail(where, "{} is not a number", describe(token));
      }
      return arena_.integer(*value);
    }
    if (tokens_.at("(")) return parenthesised_any(wanted);
    if (tokens_.at("{")) return set(wanted);
    if (token.kind == TokenKind::String) {
      if (Term text = scope_.text(token.text, wanted)) {
        tokens_.take();
        return text;
      }
    }
    if (token.kind != TokenKind::Name) return std::unexpected(tokens_.unexpected("an expression"));
    if (tokens_.at("(", 1) && !token.quoted) {
      if (auto width = machine_width(token.text)) {
        tokens_.take();
        auto a = parenthesised(arena_.int_sort());
        if (!a) return a;
        return arena_.wrap(width->first, width->second, *a);
      }
      if (token.text == "int") return conversion();
      if (token.text == "all") return everywhere(wanted);
      if (token.text == "ref") return address();
      if (const auto operation = scope_.operation(token.text, wanted)) return apply(*operation);
    }
    tokens_.take();
    if (!token.quoted) {
      if (token.text == "true") return arena_.truth();
      if (token.text == "false") return arena_.falsehood();
      if (token.text == "null") return arena_.null();
    }
    return name(token, where, wanted);
  }

  /// `name(e, …)`.
  Result<Term> apply(const NamedOperation& operation) {
    const Location where = tokens_.here();
    const std::string name = tokens_.take().text;
    tokens_.take();
    std::vector<Term> arguments;
    while (!tokens_.at(")")) {
      if (!arguments.empty())
        if (auto comma = tokens_.expect(","); !comma) return std::unexpected(comma.error());
      const Location at = tokens_.here();
      const Sort sort = arguments.size() < operation.parameters.size()
                            ? operation.parameters[arguments.size()]
                            : nullptr;
      auto argument = conditional(sort);
      if (!argument) return argument;
      if (sort)
        if (auto ok = need(*argument, sort, at); !ok) return ok;
      arguments.push_back(*argument);
    }
    tokens_.take();
    if (arguments.size() != operation.parameters.size())
      return fail(where, "'{}' takes {} arguments, not {}", name, operation.parameters.size(),
                  arguments.size());
    if (Term made = operation.make(arguments)) return made;
    return fail(where, "'{}' is not known here", name);
  }

  /// `{a, b}` where a set or map is wanted.
  Result<Term> set(Sort wanted) {
    const Location where = tokens_.here();
    tokens_.take();
    std::vector<Term> elements;
    while (!tokens_.at("}")) {
      if (!elements.empty())
        if (auto comma = tokens_.expect(","); !comma) return std::unexpected(comma.error());
      auto element = conditional(wanted ? wanted->key : nullptr);
      if (!element) return element;
      elements.push_back(*element);
    }
    tokens_.take();
    if (Term made = scope_.set_of(elements, wanted)) return made;
    return fail(where, "no set of such elements is wanted here");
  }

  // In `(e)` the wanted sort is a hint only: what follows may change the sort.
  Result<Term> parenthesised_any(Sort wanted) {
    tokens_.take();
    auto a = conditional(wanted);
    if (!a) return a;
    if (auto close = tokens_.expect(")"); !close) return std::unexpected(close.error());
    return a;
  }

  Result<Term> conversion() {
    tokens_.take();
    const Location where = tokens_.here();
    auto a = parenthesised_any(nullptr);
    if (!a) return a;
    if ((*a)->sort->kind != SortKind::Enum)
      return fail(where, "int() takes an enumerator, not a value of type {}",
                  to_string((*a)->sort));
    return arena_.to_int(*a);
  }

  Result<Term> everywhere(Sort wanted) {
    const Location where = tokens_.here();
    tokens_.take();
    if (!wanted || wanted->kind != SortKind::Map)
      return fail(where, "all() makes a map, but {} is needed here",
                  wanted ? to_string(wanted) : "no map");
    auto a = parenthesised(wanted->value);
    if (!a) return a;
    return arena_.const_map(wanted, *a);
  }

  Result<Term> address() {
    tokens_.take();
    auto a = parenthesised(arena_.int_sort());
    if (!a) return a;
    if ((*a)->op != Op::IntConst || (*a)->number < 0)
      return fail(tokens_.here(), "an address is a number");
    return arena_.reference((*a)->number);
  }

  Result<Term> name(const Token& token, const Location& where, Sort wanted) {
    if (wanted && wanted->kind == SortKind::Enum)
      if (Term e = scope_.enumerator(token.text, wanted)) return e;
    if (Term t = scope_.lookup(token.text)) return t;
    if (auto dot = token.text.rfind('.'); dot != std::string::npos) {
      const std::string_view whole = token.text;
      if (Term t = scope_.field(whole.substr(0, dot), whole.substr(dot + 1))) return t;
    }
    if (Term e = scope_.enumerator(token.text, wanted)) return e;
    return fail(where, "'{}' is not declared{}", token.text,
                suggestion(token.text, scope_.names()));
  }

  TokenStream& tokens_;
  TermArena& arena_;
  const Scope& scope_;
  int depth_ = 0;
};

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t up = row[j];
      const bool same = std::tolower(static_cast<unsigned char>(a[i - 1])) ==
                        std::tolower(static_cast<unsigned char>(b[j - 1]));
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (same ? 0u : 1u)});
      diagonal = up;
    }
  }
  return row[b.size()];
}

} // namespace

Result<Term> read_expression(TokenStream& tokens, TermArena& arena, const Scope& scope,
                             Sort wanted) {
  return ExpressionReader(tokens, arena, scope).read(wanted);
}

Result<Term> parse_expression(std::string_view text, const std::string& file, TermArena& arena,
                              const Scope& scope, Sort wanted) {
  auto tokens = tokenise(text, file);
  if (!tokens) return std::unexpected(tokens.error());
  TokenStream stream(std::move(*tokens), file);
  auto term = read_expression(stream, arena, scope, wanted);
  if (term && !stream.at_end())
    return std::unexpected(stream.unexpected("the end of the expression"));
  return term;
}

std::vector<std::string> near_names(std::string_view name, const std::vector<std::string>& known) {
  std::set<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& k : known) {
    if (k.size() > 200 || name.size() > 200) continue;
    const std::size_t distance = edit_distance(name, k);
    const bool contains = name.size() >= 3 && (k.find(name) != std::string::npos);
    if (contains || distance <= std::max<std::size_t>(1, std::min(name.size(), k.size()) / 3))
      ranked.emplace(contains ? std::min<std::size_t>(distance, 2) : distance, k);
  }
  std::vector<std::string> best;
  for (const auto& [distance, k] : ranked)
    if (best.size() < 3) best.push_back(k);
  return best;
}

std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
  const auto near = near_names(name, known);
  if (near.empty()) return "";
  std::string text = "; did you mean ";
  for (std::size_t i = 0; i < near.size(); ++i) {
    if (i > 0) text += i + 1 == near.size() ? " or " : ", ";
    text += "'" + near[i] + "'";
  }
  return text + "?";
}

} // namespace tacit
