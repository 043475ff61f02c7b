// Quantifier elimination: "there are values of `bound` such that `formula`" as a formula without
// them, in the component's vocabulary.
//
// Most bound variables go without a solver: parts that do not mention them move out, equations fix
// them, Booleans and enumerations are tried one by one. What is left goes to Z3's elimination for
// linear integers. A bound variable that is a key of a map, or stands in a product, mostly cannot
// be eliminated.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "base/diagnostic.h"
#include "logic/solver/solver.h"
#include "logic/term/term.h"

namespace tacit {

/// One per thread and arena; keep it: answers are remembered.
class Eliminator {
public:
  /// Effort per elimination is `options.rlimit`. The log is not used.
  Eliminator(TermArena& arena, SolverOptions options = {});
  ~Eliminator();

  /// Equivalent to "exists bound. formula". Fails when that could not be found.
  Result<Term> exists(Term formula, std::span<const Term> bound);
  /// Implies "exists bound. formula", and mostly is equivalent: where a variable cannot be
  /// eliminated, only values are tried that the formula itself names.
  Result<Term> some(Term formula, std::span<const Term> bound);
  /// Implied by "exists bound. formula", and mostly equivalent: parts from which a variable cannot
  /// be eliminated are left out.
  Term at_most(Term formula, std::span<const Term> bound);
  /// Equivalent to "for all bound. formula".
  Result<Term> for_all(Term formula, std::span<const Term> bound);

  const SolverStatistics& statistics() const;

private:
  class Session;
  std::unique_ptr<Session> session_;
};

} // namespace tacit
