// The second solver: cvc5 behind four types of our own. The only place that knows cvc5.
//
// Sorts are Bool, Int and maps of these; enumerations and references have been turned into integers
// (check/erasure.h). Division and remainder truncate towards zero and give 0 for the divisor 0, as
// in logic/term/evaluate.h.
//
// Every query has the same deterministic resource limit, so nothing hangs and two runs give the
// same answers. What cvc5 throws becomes Unknown with its text as the reason; the solver stays
// usable.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "check/cvc5/formula.h"
#include "logic/term/evaluate.h"

namespace tacit {

/// Values of the free variables of a satisfiable formula.
using TermModel = std::map<Term, Value, TermById>;

/// One thread; terms should outlive it.
class SecondSolver {
public:
  enum class Answer { Sat, Unsat, Unknown };

  explicit SecondSolver(std::uint64_t resource_limit = 300'000);
  /// No query may take longer, from the next solver that is started on.
  void limit_seconds(double seconds) { seconds_ = seconds; }
  ~SecondSolver();
  SecondSolver(const SecondSolver&) = delete;
  SecondSolver& operator=(const SecondSolver&) = delete;

  /// Is there a valuation of the free variables that makes the formula true? `model` may be null;
  /// it is filled when the answer is Sat. Formulas without quantifiers go to one incremental
  /// solver, others to one of their own.
  Answer check(const Formula& formula, TermModel* model);

  std::size_t queries() const { return queries_; }
  /// Why the last answer was Unknown.
  const std::string& reason() const { return reason_; }

private:
  class Session;

  std::uint64_t resource_limit_;
  std::optional<double> seconds_;
  std::unique_ptr<Session> session_;
  std::size_t queries_ = 0;
  std::string reason_;
};

} // namespace tacit
