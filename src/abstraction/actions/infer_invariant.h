// An invariant of an action system from the vocabulary of its guards: the strongest one that is a
// Boolean combination of some predicates, found by adding the combinations that a step leads to
// until none is new; where there are too many, the strongest conjunction of clauses with at most
// two literals (Houdini).
#pragma once

#include "abstraction/actions/action_system.h"

namespace tacit {

struct InferredInvariant {
  Term invariant = nullptr; // inductive, for all runs that respect the requires clauses
  std::vector<Term> predicates;
  bool strongest = true; // over the predicates; false: of Houdini
};

/// Fails when the budget runs out or the solver gives up on everything.
Result<InferredInvariant> infer_invariant(const ActionSystem& system, Solver& solver,
                                          Budget& budget);

} // namespace tacit
