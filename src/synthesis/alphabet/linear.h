// Linear sums of integer terms: what two comparisons have in common.
#pragma once

#include <map>
#include <optional>

#include "logic/term/term.h"

namespace tacit {

struct LinearSum {
  std::map<Term, Integer, TermById> parts; // without zeros
  Integer constant = 0;
};

/// What is neither a sum nor a multiple by a constant is a part of its own.
LinearSum linear_sum(Term term);

/// The number that a comparison compares with a constant: `x - y` of `x < y + 3`. The part made
/// first has a positive factor. No value when it compares no integers, or none that varies.
std::optional<Term> compared_number(TermArena& arena, Term atom);

} // namespace tacit
