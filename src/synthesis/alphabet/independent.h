// Questions about the state that have nothing to do with each other ("Permissive Interfaces",
// Proposition 7: groups of calls that share no state).
//
// Questions are in one group when they are about one variable, when what becomes of one depends on
// the other, or when one call errs by both. A protocol with n groups has at least 2^n states, if
// every question can be answered in two ways: from some number on it is better told by values that
// are followed than by states.
#pragma once

#include <map>
#include <vector>

#include "logic/term/term.h"

namespace tacit {

class IndependentQuestions {
public:
  void add(Term question) { root(question); }
  void join(Term a, Term b);
  /// In order of their first questions.
  std::vector<std::vector<Term>> groups() const;

private:
  Term root(Term question);

  std::map<Term, Term, TermById> parent_;
};

} // namespace tacit
