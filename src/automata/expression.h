// Regular expressions as values, simplified as they are built. The half of
// regex.h that knows algebra; regex.cpp knows automata.
//
// Expressions are numbers that belong to the Expressions object that made them.
// Equal expressions have equal numbers, so that rules like x|x = x are cheap to
// check. Each constructor applies the rewrite rules listed with it; they keep
// the language and never lengthen the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "automata/alphabet.h"

namespace tacit {

using Expression = std::uint32_t;

class Expressions {
public:
  using Names = std::function<std::string(Letter)>;

  explicit Expressions(Names name);

  Expression nothing() const { return 0; } // ∅, the empty language
  Expression epsilon() const { return 1; } // ε, the empty word
  Expression letter(Letter letter);

  /// The parts one after the other. With S any expression, and x nullable and
  /// obviously within S*:
  ///   x S* = S* x = S*    x S+ = S+ x = S+    S S* = S* S = S+
  ///   (S* y)* S* = S* (y S*)* = (S | y)*
  Expression concat(std::vector<Expression> parts);

  /// Any of the parts: letters first, in ascending order, each once. With x
  /// obviously within S*:
  ///   ε | x = x?    x | S* = S*    x | S+ = S+
  ///   x y | x z = x (y | z)    x | x y = x y?    and the same from behind
  Expression unite(std::vector<Expression> parts);

  ///   x** = x+* = x?* = x*    (x* | y+ | z?)* = (x | y | z)*
  ///   (x? y*)* = (x | y)*     (x y? | y)* = (x | y)*
  Expression star(Expression part);

  /// The number of bytes of print(expression); stops counting at SIZE_MAX / 4.
  std::size_t length(Expression expression) const { return nodes_[expression].length; }

  std::string print(Expression expression) const;

private:
  enum class Kind { Nothing, Epsilon, Symbol, Concat, Union, Star, Plus, Optional };

  struct Node {
    Kind kind;
    Letter letter;                 // of a Symbol; else 0
    std::vector<Expression> parts; // two or more of Concat and Union, one of Star …
    bool nullable;                 // ε is in the language
    std::size_t length;
  };

  /// The node itself, without any rewriting.
  Expression make(Kind kind, Letter letter, std::vector<Expression> parts);
  Expression plus(Expression part);
  Expression optional(Expression part);

  Kind kind(Expression e) const { return nodes_[e].kind; }
  bool nullable(Expression e) const { return nodes_[e].nullable; }
  bool repeats(Expression e) const { return kind(e) == Kind::Star || kind(e) == Kind::Plus; }
  Expression inner(Expression e) const { return nodes_[e].parts.front(); }
  /// The parts if it is of this kind, else the expression alone.
  std::vector<Expression> parts_as(Kind kind, Expression e) const;

  bool within_star(Expression e, Expression body) const;
  bool simplify_concat_at(std::vector<Expression>& parts, std::size_t i);
  Expression denest(Expression first, Expression second);
  bool absorb(std::vector<Expression>& parts, bool& with_epsilon) const;
  bool factor(std::vector<Expression>& parts, bool from_front);
  bool simplify_star_body(std::vector<Expression>& parts);

  /// A total order that depends on structure only.
  int compare(Expression a, Expression b) const;
  Letter first_letter(Expression e) const;

  bool needs_parentheses(Kind around, Expression e) const;
  void print(Expression e, std::string& text) const;

  Names name_;
  std::vector<Node> nodes_;
  std::map<std::tuple<Kind, Letter, std::vector<Expression>>, Expression> known_;
};

} // namespace tacit
