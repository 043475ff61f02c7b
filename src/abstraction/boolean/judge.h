// What predicates know about a formula: Implies of "Synthesis of Interface Specifications for Java
// Classes" (section 4.2), for the formula and for its negation at once.
//
// The valuations of the related predicates under which the formula can be true, and those under
// which it can be false, are enumerated; where only one of the two is possible, the predicates
// decide. Combinations of predicates that no state has are used freely to keep the answer short.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "logic/solver/solver.h"
#include "logic/term/term.h"

namespace tacit {

/// Three values: `yes` and `no` say where the formula is surely true and surely false. When it is
/// closed there is no third case.
struct Judgement {
  Term yes = nullptr, no = nullptr; // over the Boolean variables
  bool open = true;
  Term impossible = nullptr; // where what was assumed cannot be; null: nowhere
};

/// Predicates with the Boolean variables that stand for them.
struct JudgedPredicates {
  std::vector<Term> predicates, variables;
};

class PredicateJudge {
public:
  /// `solver` outlives this.
  PredicateJudge(TermArena& arena, Solver& solver) : arena_(arena), solver_(solver) {}

  /// `facts` hold in every state, `under` is taken for granted about this step.
  Judgement judge(const JudgedPredicates& scope, Term facts, Term formula, Term under);

  /// Rules out combinations, of two or three predicates, that no state has and in which one of
  /// `changed` takes part: what resolving several unknown values has to respect.
  Term consistent(const JudgedPredicates& scope, Term facts,
                  const std::vector<std::size_t>& changed);

private:
  using Valuation = std::uint64_t;

  std::vector<std::size_t> related(const JudgedPredicates& scope, const std::vector<Term>& terms,
                                   bool transitively) const;
  std::optional<std::vector<Valuation>> valuations(const JudgedPredicates& scope,
                                                   const std::vector<std::size_t>& among,
                                                   std::vector<Term> assumptions);
  Term cover(const JudgedPredicates& scope, const std::vector<std::size_t>& among,
             const std::vector<Valuation>& on, const std::vector<Valuation>& off);
  std::optional<Judgement> by_valuations(const JudgedPredicates& scope,
                                         const std::vector<std::size_t>& among, Term facts,
                                         Term formula, Term under);
  Judgement by_literals(const JudgedPredicates& scope, const std::vector<std::size_t>& among,
                        Term facts, Term formula, Term under);
  bool contradictory(Term facts, std::vector<Term> literals);

  TermArena& arena_;
  Solver& solver_;
  std::map<std::vector<Term>, bool> contradictory_;
};

} // namespace tacit
