// Sets of valuations of predicates.
#pragma once

#include <cstdint>
#include <vector>

#include "logic/term/term.h"

namespace tacit {

using Cube = std::uint64_t; // bit i: predicate i holds
inline constexpr std::size_t max_predicates = 64;

std::vector<Term> cube_literals(TermArena& arena, const std::vector<Term>& predicates, Cube cube);

/// The union of cubes as a formula. Cubes are merged pairwise where they differ in one predicate:
/// readable, and short enough to be proved again.
Term cover(TermArena& arena, const std::vector<Term>& predicates, const std::vector<Cube>& cubes);

} // namespace tacit
