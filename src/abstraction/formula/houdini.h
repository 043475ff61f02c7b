// Houdini (Flanagan, Leino: "Houdini, an Annotation Assistant for ESC/Java", 2001): of candidate
// clauses at some locations, the largest subset that holds whenever its location is met. Clauses
// that a counterexample falsifies are dropped until every step keeps what is left.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "logic/solver/solver.h"

namespace tacit {

/// Clauses of one or two literals. Literals are numbered: twice the atom's number, plus one for its
/// negation. A clause of one literal has it twice.
struct ClauseSet {
  using Clause = std::pair<std::size_t, std::size_t>;

  std::vector<Term> atoms;
  std::set<Clause> clauses;

  void add_literals();
  bool has_literal(std::size_t literal) const { return clauses.contains({literal, literal}); }

  /// The clauses that no single literal makes superfluous, with `values` for the atoms.
  std::vector<Term> terms(TermArena& arena, const std::vector<Term>& values) const;
  Term conjunction(TermArena& arena) const;
};

/// A way to a location.
struct HoudiniStep {
  std::size_t location = 0;
  std::function<Term(Term)> after; ///< an atom of the location as the step leaves it
  /// What holds where the step is taken. It may rest on the clauses that are left at any location,
  /// so it is asked for anew before each query, and so is `after`.
  std::function<std::vector<Term>()> given;
};

enum class HoudiniEnd {
  Stable,  ///< what is left is inductive
  Unknown, ///< likewise, but the solver gave up somewhere: all clauses of that location are gone
  TooMany  ///< too many queries: no clause is left
};

HoudiniEnd houdini(TermArena& arena, Solver& solver, std::vector<ClauseSet>& locations,
                   const std::vector<HoudiniStep>& steps, std::size_t most_queries = SIZE_MAX);

} // namespace tacit
