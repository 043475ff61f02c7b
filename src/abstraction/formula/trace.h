// Where predicates come from: a word that an abstraction judges wrongly, step by step.
#pragma once

#include "abstraction/formula/formulas.h"
#include "abstraction/formula/predicates.h"

namespace tacit {

/// A constructor, some letters, and what is asked of the state behind them.
struct Trace {
  std::size_t constructor = 0;
  std::vector<std::size_t> letters;
  std::optional<std::size_t> call; // errs there; nullopt: the word itself matters
};

/// 'push ×3 pop:returns=1', with the call at the end; outcomes where there are several.
std::string to_text(const Component& component, const Trace& trace);

/// Weakest preconditions of the question, backwards along the word from the end; inputs eliminated
/// where possible. The last one speaks of the state behind the constructor. With a solver each is
/// made short before the next one is computed from it, and the list ends where one is too large for
/// that.
std::vector<Term> preconditions(ComponentFormulas& formulas, Eliminator& eliminator,
                                const Trace& trace, Solver* shorten = nullptr);

/// One formula per step over numbered copies of the state, for interpolation; contradictory when
/// the answer is no.
std::vector<Term> step_formulas(const ComponentFormulas& formulas, const Trace& trace);
/// A term over copy i of the state, in terms of the state variables.
Term without_copy(const ComponentFormulas& formulas, Term term, std::size_t copy);

} // namespace tacit
