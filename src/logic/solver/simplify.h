// Shorter terms and smaller cores, found by asking a solver.
//
// Both keep the vocabulary they are given: they leave parts out and never invent atoms, apart from
// `a == b` for `a <= b && b <= a`.
#pragma once

#include <cstdint>
#include <vector>

#include "logic/solver/solver.h"

namespace tacit {

/// A core from which nothing can be left out, by deletion: one query per assumption. Earlier
/// assumptions are kept where there is a choice. What is Unknown is kept.
std::vector<Term> minimise_core(Solver& solver, std::vector<Term> core);

/// A shorter Boolean term that equals `what` wherever `under` holds: every part is dropped that the
/// others, or `under`, imply. A disjunction of cubes comes out as an irredundant one of cubes from
/// which no literal can be dropped alone. Stops improving after `max_queries`.
Term simplify(TermArena& arena, Solver& solver, Term under, Term what,
              std::uint64_t max_queries = 400);

} // namespace tacit
