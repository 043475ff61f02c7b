// Invariants of loop heads as clauses of two literals, where the body remembers what was there in
// front of its loops (program/reduce/peel.h). So "a flag is set or nothing has changed" can be
// said, which is what most loops over data keep. Found by dropping what does not hold
// (houdini.h).
#pragma once

#include "abstraction/formula/loops.h"

namespace tacit {

/// Whether the body remembers values in front of its loops.
bool remembers(const Procedure& procedure);

/// What the literals at each cut are made of: conditions of the body, and of the predicates those
/// that speak of what the loop changes.
using LoopAtoms = std::vector<std::vector<Term>>;
LoopAtoms clause_atoms(TermArena& arena, const Procedure& procedure, const BodyFormula& body,
                       const std::vector<Term>& predicates);

/// As loop_invariants (loops.h). What the solver cannot decide is dropped.
LoopInvariants clause_invariants(const Module& module, const BodyFormula& body, Term facts,
                                 const Substitution& before, const LoopAtoms& atoms,
                                 Solver& solver);

} // namespace tacit
