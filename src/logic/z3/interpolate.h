// Sequence interpolants, through Z3's Horn solver Spacer.
//
// For formulas A0, …, An that are contradictory together, terms I1, …, In such that
//   A0 implies I1,   Ii and Ai imply I(i+1),   In and An are contradictory,
// and Ii mentions only variables that occur both before and from Ai on. The formulas of a minimal
// core become a chain of Horn clauses, one relation per cut; Spacer's invariants of the relations
// are the interpolants.
//
// Slow next to unsat cores and weakest preconditions (16 ms at 3 steps, 1.6 s at 48): try those
// first. Every result is checked with a solver of its own before it is returned.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/diagnostic.h"
#include "logic/solver/solver.h"
#include "logic/term/term.h"

namespace tacit {

/// One per thread; keep it, as making one takes milliseconds. Builds terms in the arenas it is
/// given.
class Interpolator {
public:
  /// Effort is limited to twenty times `options.rlimit` per sequence. The log is not used.
  explicit Interpolator(SolverOptions options = {});
  ~Interpolator();

  /// Fails when the formulas are not contradictory, the effort was not enough, or what Spacer found
  /// is no quantifier-free term.
  Result<std::vector<Term>> sequence(TermArena& arena, std::span<const Term> formulas);

  /// Of both the Horn solver and the check of its results.
  const SolverStatistics& statistics() const;

private:
  class Session;
  std::unique_ptr<Session> session_;
};

} // namespace tacit
