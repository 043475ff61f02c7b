// Invariants of loop heads, by predicate abstraction: literals that hold whenever the head is met,
// found by dropping those that do not (houdini.h), and the combinations of a few further predicates
// that may occur there (All-SAT), both to a fixpoint over all heads of the body.
#pragma once

#include <map>
#include <vector>

#include "abstraction/formula/body_formula.h"
#include "logic/solver/solver.h"

namespace tacit {

using LoopInvariants = std::map<BlockId, Term>; // over state variables, parameters and locals

/// Puts invariants in for the placeholders of a body's cuts.
Term fill_in(TermArena& arena, const BodyFormula& body, const LoopInvariants& invariants,
             Term formula);

/// Where the head is met: from outside, and after a round.
std::vector<const FormulaPlace*> ways_to(const LoopCut& cut);

/// From any state that satisfies `facts`, `before` put in for state variables. `predicates` are
/// worth knowing at the heads; the body's own conditions are tried anyway. Fails when the solver
/// does.
Result<LoopInvariants> loop_invariants(const Component& component, const Procedure& procedure,
                                       const BodyFormula& body, Term facts,
                                       const Substitution& before,
                                       const std::vector<Term>& predicates, Solver& solver);

} // namespace tacit
