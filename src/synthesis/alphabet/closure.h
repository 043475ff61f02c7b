// Which conditions on arguments and results a protocol has to tell apart, and which values it has
// to follow (docs/semantics.md, 11).
//
// Whether a call errs is a formula over state, arguments and what the environment does. An atom of
// it that speaks
//   of the state alone            is a question about the state: what calls do to it matters;
//   of arguments alone            splits the call;
//   of arguments and the state    splits the call as well, and the terms of the state in it have to
//                                 be followed by the client: they are tracked.
// What a call does to a question is its weakest precondition, whose atoms are looked at in the same
// way; those that speak of what the call returns split its outcomes. A term with few values is
// followed by states, one question for each value. Where questions about one number come back with
// ever other constants, the number is tracked; then they split calls like arguments do. Where many
// questions have nothing to do with each other, all they are about is tracked (independent.h).
//
// Everything that is found is a proposal: too fine an alphabet gives letters that are merged again,
// too coarse a one refusals that are not shown. Nothing here can make a claim wrong.
#pragma once

#include "abstraction/formula/formulas.h"
#include "base/story.h"
#include "component/refine.h"

namespace tacit {

/// How far the search goes; beyond, what is found last is left out.
struct ClosureLimits {
  std::size_t questions = 60;    // about the state
  std::size_t tracked = 6;       // guards over more values are no help to anybody
  std::size_t atoms_of_call = 6; // at most 64 variants of a call
  std::size_t atoms_of_result = 4;
  std::size_t few_values = 8; // a term with no more becomes states (docs/semantics.md, 11)
  // Groups of questions that have nothing to do with each other: with so many, states that tell the
  // answers are more than 100 (and each costs the engine dozens of queries).
  std::size_t independent = 7;
  std::size_t family = 3;      // questions about one number before it is tracked
  std::size_t atom_size = 200; // subterms; larger ones come from heaps and bits
};

/// What is looked at besides errors and what calls do to questions.
enum class Observing {
  Effects,
  /// Also what a client learns of the state from outcomes and results: where the states of one word
  /// disagree about an error, that may tell them apart.
  Knowledge,
};

struct ClosedAlphabet {
  CallSplits alphabet;
  std::vector<Term> questions;           // over the state: predicates to start from
  std::map<Term, std::vector<Term>> few; // terms with few values, and these
  /// Of tracked terms: the questions that decide what becomes of them.
  std::map<Term, std::vector<Term>> decided_by;
  /// What conditions ask for and clients cannot follow.
  std::vector<Term> not_followed;
  bool complete = true; // no limit was met
};

/// `untracked`: terms that turned out not to be followed.
ClosedAlphabet close_alphabet(ComponentFormulas& formulas, Solver& solver, Budget& budget,
                              const Story& story, const std::vector<Term>& untracked = {},
                              Observing observing = Observing::Effects,
                              const ClosureLimits& limits = {});

} // namespace tacit
