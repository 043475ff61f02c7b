// Expressions from text, type-checked against a scope.
//
//   e ::= e ? e : e | e => e | e || e | e && e | !e | e (==|!=|<|<=|>|>=) e | e (+|-|*|/|%) e | -e
//       | e[e] | e[e := e] | name | name.field | 123 | true | false | null | all(e) (constant map,
//       sort from context) | int(e) | u8(e) s8(e) … s64(e) (wrap to a machine width) | e in {a, b}
//       | e in name | name(e, …) | "text" | {a, b} | (e)
//
// `a.f`, where `a` is a reference variable and `R.f` a heap map in scope for its record, means
// `R.f[a]`. Operations by name, texts and sets mean what the scope says; most know none.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "logic/term/lexer.h"
#include "logic/term/term.h"

namespace tacit {

/// What `name(e, …)` means: the sorts of its arguments (null: any) and what is made of them.
struct NamedOperation {
  std::vector<Sort> parameters;
  std::function<Term(const std::vector<Term>&)> make; // nullptr: these arguments do not fit
};

/// What the names in an expression mean.
class Scope {
public:
  virtual ~Scope() = default;
  /// A variable, or a named constant; nullptr when unknown.
  virtual Term lookup(std::string_view name) const = 0;
  /// An enumerator by name when the wanted sort is known or the name is unique; nullptr when there
  /// is none.
  virtual Term enumerator(std::string_view name, Sort wanted) const = 0;
  /// `object.field` on a reference; nullptr when there is no such field.
  virtual Term field(std::string_view /*object*/, std::string_view /*field*/) const {
    return nullptr;
  }
  /// `e is T` for an exception e: T or a subtype of it; nullptr when T is no exception.
  virtual Term is_exception(Term /*exception*/, std::string_view /*type*/) const { return nullptr; }
  /// `ids.add(x)`, `url.size()`, by the name before the parenthesis; `e in ids` is `ids.contains`.
  virtual std::optional<NamedOperation> operation(std::string_view /*name*/,
                                                  Sort /*wanted*/) const {
    return std::nullopt;
  }
  /// A text between quotes; nullptr when texts mean nothing here.
  virtual Term text(std::string_view /*contents*/, Sort /*wanted*/) const { return nullptr; }
  /// `{a, b}` where a set or map is wanted; nullptr when that is none.
  virtual Term set_of(const std::vector<Term>& /*elements*/, Sort /*wanted*/) const {
    return nullptr;
  }
  /// Names near a misspelt one, for the message; may be empty.
  virtual std::vector<std::string> names() const { return {}; }
};

/// Reads one expression at the cursor. `wanted` (may be null) is the sort the context needs; a
/// mismatch is an error.
Result<Term> read_expression(TokenStream& tokens, TermArena& arena, const Scope& scope,
                             Sort wanted);

/// A whole text that is one expression.
Result<Term> parse_expression(std::string_view text, const std::string& file, TermArena& arena,
                              const Scope& scope, Sort wanted);

/// The names closest to a misspelt one (small edit distance), best first, at most three.
std::vector<std::string> near_names(std::string_view name, const std::vector<std::string>& known);
/// "; did you mean 'x' or 'y'?" or "".
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

} // namespace tacit
