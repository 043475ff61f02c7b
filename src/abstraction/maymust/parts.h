// A question about a step that falls into parts without a common variable: each is asked alone, and
// of the state only what shares a variable with it matters. Most calls touch little of the state,
// so that many cubes are one question.
#pragma once

#include "abstraction/formula/cubes.h"

namespace tacit {

struct StepPart {
  Cube literals;                    // the predicates of the state that bear on it
  Term known = nullptr;             // what holds besides: its conjuncts of guard and facts
  std::vector<Term> later;          // what predicates mean before the step
  std::vector<std::size_t> changed; // these predicates
};

/// What is known of a step, and what predicates mean before it; those that it leaves alone are not
/// asked for, and parts of the state that it does not touch are none.
struct AskedStep {
  Term guard = nullptr, facts = nullptr;
  std::vector<Term> later; // null: left alone
};

std::vector<StepPart> independent_parts(TermArena& arena, const std::vector<Term>& predicates,
                                        const AskedStep& step);

} // namespace tacit
