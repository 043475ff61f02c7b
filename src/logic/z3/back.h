// The way back: Z3 expressions, such as interpolants, as terms in the component's vocabulary.
//
// Z3 turns arithmetic into sums compared with constants and equalities into pairs of bounds. Here
// `x + -1 * y <= 0` becomes `x <= y` again, bounds of the same sum in one conjunction (or,
// dually, disjunction) are joined, so `!(r <= -1) && !(r >= 1)` is `r == null`, and bounds of an
// enumeration variable become the enumerators they leave.
//
// What terms cannot say is refused with a reason: quantifiers, an order on references, names that
// are none of ours, Euclidean division by a variable.
#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include <z3++.h>

#include "base/diagnostic.h"
#include "logic/term/term.h"
#include "logic/z3/translation.h"

namespace tacit {

class BackTranslation {
public:
  /// Knows the variables that `translation` has met.
  BackTranslation(TermArena& arena, Translation& translation)
      : arena_(arena), translation_(translation) {}

  /// A term of the sort, which must fit the expression's.
  Result<Term> term(const z3::expr& expr, Sort sort);

private:
  /// A sum of terms with factors; the terms are ints, enumerators (their index) or references.
  struct Sum {
    std::map<Term, Integer, TermById> parts;
    Integer constant = 0;
  };

  /// `parts` is within the bounds, or (point bounds only) is not. The factors have no common
  /// divisor, and the first is positive.
  struct Bounds {
    std::map<Term, Integer, TermById> parts;
    std::optional<Integer> low, high;
    bool outside = false;
  };

  Term boolean(const z3::expr& expr);
  Term build_boolean(const z3::expr& expr);
  Term junction(const z3::expr& expr, bool is_and);
  std::optional<Bounds> atom(const z3::expr& expr);
  Bounds bounds(Sum sum, std::optional<Integer> low, std::optional<Integer> high);
  Term write(const Bounds& bounds);
  Term write_sum(const Bounds& bounds);
  std::optional<Term> write_enum(const Bounds& bounds);

  const Sum& sum(const z3::expr& expr);
  Sum build_sum(const z3::expr& expr);
  Term scalar(const z3::expr& expr);
  Term conditional(const z3::expr& expr);
  std::optional<Term> our_division(const z3::expr& expr);
  std::optional<Term> our_wrap(const z3::expr& expr);
  Term euclidean(const z3::expr& expr);
  Term integer(const Sum& sum);
  Term number(Term part);
  Term of_sort(const z3::expr& expr, Sort sort);
  Term key(const z3::expr& expr, Sort sort);
  Term map(const z3::expr& expr, Sort sort);
  Sort sort_of(const z3::expr& expr);
  Sort guessed_sort(const z3::expr& expr, Sort key);

  TermArena& arena_;
  Translation& translation_;
  // By Z3's number of the expression, which stays its own while the expression lives.
  std::unordered_map<unsigned, Term> booleans_;
  std::unordered_map<unsigned, Sum> sums_;
  std::vector<z3::expr> alive_;
};

} // namespace tacit
