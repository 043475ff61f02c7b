// Formulas with quantifiers, in negation normal form: conjunctions, disjunctions and quantifiers
// over terms.
//
// Terms (logic/term) have no quantifiers. Claims of the form "for each state there is a choice"
// need them, so the checker writes such claims as a Formula whose leaves are terms, and gets rid of
// most quantifiers by itself (check/prover.h) before the solver sees the rest.
#pragma once

#include <set>
#include <vector>

#include "logic/term/term.h"

namespace tacit {

/// A value; copying copies the tree, the terms are shared.
struct Formula {
  enum class Kind { Plain, And, Or, Exists, Forall };

  Kind kind = Kind::Plain;
  Term term = nullptr;        // Plain
  std::vector<Term> bound;    // Exists, Forall: variables
  std::vector<Formula> parts; // And, Or: any number; Exists, Forall: one

  Formula() = default;
  Formula(Term plain) : term(plain) {} // NOLINT: terms are formulas
};

using TermSet = std::set<Term, TermById>;

/// Flat, and one term when all parts are terms.
Formula all_of(TermArena& arena, std::vector<Formula> parts);
Formula any_of(TermArena& arena, std::vector<Formula> parts);
/// The body itself when there is nothing to bind.
Formula exists(std::vector<Term> bound, Formula body);
Formula for_all(std::vector<Term> bound, Formula body);
Formula negation(TermArena& arena, const Formula& formula);

/// Replaces free variables. What is put in for them should not mention variables bound in the
/// formula.
Formula substitute(TermArena& arena, const Formula& formula, const Substitution& by);

/// The variables that are not bound where they stand.
TermSet free_variables(const Formula& formula);

bool has_quantifier(const Formula& formula);

} // namespace tacit
