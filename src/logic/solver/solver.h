// Questions about terms: is there a valuation that makes all of these true, and which one?
//
//            check                        check, all_sat, refute_forall_exists
//   idle ──────────────> sat       value of any term
//     ^                  unsat     core
//     │                  unknown   reason_unknown
//     └── push, pop, add ──┘       (every state may be asked the next question)
//
//   auto solver = make_z3_solver({.budget = &budget});          // logic/z3/z3_solver.h
//   solver->add(body);
//   if (solver->check({guard, arena.negate(goal)}) == Truth::Sat) show(solver->value(x));
//
// A *query* is one check-sat; all_sat and refute_forall_exists make several. An enumeration
// variable only ever has values of its enumeration; nobody has to say so. Division by zero gives 0,
// as in logic/term/evaluate.h.
//
// Assumptions are arbitrary Boolean terms. Each gets a literal that is kept for as long as it pays,
// so asking again about the same large body costs little: prefer `check({body, p})` over
// `push, add(body), check(p), pop` when the same bodies come back.
//
// Nothing hangs: a query that exceeds its resource limit is Unknown, and deterministically so. The
// budget's time and cancellation are looked at between queries only.
//
// Ownership and threads: one solver per thread. A solver reads terms and builds none, so several
// solvers may share an arena while nobody builds in it; choices() is the exception. Terms outlive
// the solver.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "base/diagnostic.h"
#include "base/statistics.h"
#include "logic/term/evaluate.h"
#include "logic/term/term.h"

namespace tacit {

enum class Truth {
  Sat,     // there is a valuation, and value() shows it
  Unsat,   // proved: there is none
  Unknown, // not settled; reason_unknown() says why
};

std::string_view to_string(Truth truth);

/// How an enumeration of valuations ended.
enum class Enumeration {
  Complete, // every valuation was shown
  Stopped,  // the receiver wanted no more
  Unknown,  // a query was not settled; what was shown is true, but there may be more
};

/// What the pointers lead to outlives the solver.
struct SolverOptions {
  /// Deterministic effort per query; a million is one to four seconds of hard search.
  std::uint32_t rlimit = 1'000'000;
  /// How many valuations of the free variables refute_forall_exists looks at before it gives up.
  std::uint32_t forall_exists_rounds = 64;
  /// Counts queries and ends the work; may be null.
  Budget* budget = nullptr;
  /// Every query as SMT-LIB 2 text that other solvers can run; may be null.
  std::ostream* log = nullptr;
};

struct SolverStatistics {
  std::uint64_t queries = 0;
  std::uint64_t sat = 0;
  std::uint64_t unsat = 0;
  std::uint64_t unknown = 0;
  std::uint64_t retries = 0;  // queries that needed a second try
  std::uint64_t literals = 0; // definitions handed to the solver
  std::uint64_t flushes = 0;  // times that unused definitions were dropped
  double seconds = 0;         // inside queries

  void add_to(Statistics& figures) const;
};

class Solver {
public:
  virtual ~Solver() = default;

  /// Scopes nest; pop() forgets what was added since its push().
  virtual void push() = 0;
  virtual void pop() = 0;
  virtual void add(Term fact) = 0;

  virtual Truth check(std::span<const Term> assumptions) = 0;
  Truth check(std::initializer_list<Term> assumptions) {
    return check(std::span<const Term>(assumptions.begin(), assumptions.size()));
  }

  /// After Sat, and inside the receiver of all_sat: what the term is in the valuation found. Covers
  /// every term, also those the query did not mention. Fails when a number is too large.
  virtual Result<Value> value(Term term) = 0;

  /// After Unsat: assumptions that are contradictory with what was added, in the order given. Not
  /// necessarily few; see minimise_core.
  virtual std::vector<Term> core() = 0;

  /// After Unknown.
  virtual std::string reason_unknown() = 0;

  /// Shows each valuation of the predicates that is consistent with the assumptions, each once, in
  /// no particular but in a reproducible order. The receiver may call value(), nothing else; it
  /// returns whether it wants more.
  virtual Enumeration all_sat(std::span<const Term> assumptions, std::span<const Term> predicates,
                              const std::function<bool(const std::vector<bool>&)>& receiver) = 0;

  /// Looks for a counterexample to "whenever the assumptions hold, there are values of `bound` that
  /// make `goal` true": Sat when there is one (value() shows it; values of `bound` mean nothing),
  /// Unsat when the claim is proved. The assumptions are about other variables than `bound`; a
  /// bound variable hides one of the same name. What is learnt about a goal is kept for later calls
  /// with the same goal and `bound`.
  virtual Truth refute_forall_exists(std::span<const Term> assumptions, Term goal,
                                     std::span<const Term> bound) = 0;

  /// After Unsat of refute_forall_exists: rows of terms for `bound`, over the other variables, such
  /// that whenever the assumptions hold, some row makes the goal true. Fails when the proof found
  /// no such rows.
  virtual Result<std::vector<std::vector<Term>>> choices(TermArena& arena) = 0;

  const SolverStatistics& statistics() const { return statistics_; }

protected:
  SolverStatistics statistics_;
};

} // namespace tacit
