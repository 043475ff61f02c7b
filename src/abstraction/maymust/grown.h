// Predicates that refinement made, as against those that the component's text has. Comparisons of a
// variable with another one or with a constant of the text are finitely many, so they come to an
// end by themselves, however many a long protocol needs. Others (`n == 37` where the text only adds
// ones, a read behind a read) may come without end.
#pragma once

#include <cstddef>
#include <vector>

#include "abstraction/formula/formulas.h"

namespace tacit {

/// Refinement that has made as many is taken to go on and on.
inline constexpr std::size_t most_grown_predicates = 64;

/// Whether more than `most` of the predicates are not of the text. Looks only when there are that
/// many at all.
bool more_grown_than(std::size_t most, const std::vector<Term>& predicates,
                     const ComponentFormulas& formulas);

} // namespace tacit
