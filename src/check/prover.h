// Decides formulas with quantifiers over typed variables, with the second solver for what is left.
//
// In order: variables that do not occur are dropped; outer existential variables become constants;
// universal ones with a small domain are expanded, others kept; facts of types are added; what
// equations fix is put in, so that many formulas fold to true or false without a query. For kept
// universal quantifiers an instantiation loop comes first (terms that the bound variable is
// compared with, then counterexamples of models), which needs no quantifiers in the solver; after
// some rounds the solver gets the quantified formula itself.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/budget.h"
#include "check/cvc5/solver.h"
#include "check/facts.h"
#include "program/ir/type.h"

namespace tacit {

class Prover {
public:
  using Answer = SecondSolver::Answer;

  struct Decision {
    Answer answer = Answer::Unknown;
    TermModel model;    // Sat: free variables and outer existential ones
    std::string reason; // Unknown
  };

  /// The budget may be null. All references should outlive the prover.
  Prover(Erasure& erasure, SecondSolver& solver, Budget* budget);

  /// The type of an erased variable. Every variable in a formula should be declared, once.
  void declare(Term erased, const Type& type);

  /// Is there a state (a valuation of the free variables within their types) that satisfies the
  /// formula?
  Decision satisfiable(const Formula& formula);

private:
  struct Kept; // a universal quantifier that was not expanded

  // Lowering: quantifiers away where that is cheap.
  Formula lower(Formula formula, bool universal);
  Formula lower_forall(std::vector<Term> bound, Formula body, bool universal);
  Formula lower_exists(std::vector<Term> bound, Formula body, bool universal);
  Term fresh_copy(Term variable);
  const Type* type_of(Term variable) const;
  /// Values of a domain that is small enough to expand; empty when it is not.
  std::vector<Term> domain(Term variable) const;
  Formula with_element_facts(const Formula& formula, std::map<Term, bool, TermById>& universal);
  Term type_facts(const TermSet& variables);

  // Deciding.
  Decision decide(const Formula& formula);
  Decision decide_ground(Term formula);
  Decision decide_by_instances(const Formula& formula);
  Term ground(const Formula& formula, std::vector<Kept>& kept, std::size_t& next);
  void collect_kept(const Formula& formula, std::vector<Kept>& kept);
  std::vector<Substitution> seeds(const Formula& universal);
  Decision ask(const Formula& formula);

  Erasure& erasure_;
  TermArena& arena_;
  SecondSolver& solver_;
  Budget* budget_;
  std::unordered_map<Term, Type> types_;
  TermSet used_;             // constants of the formula at hand
  std::size_t expanded_ = 0; // instances made for the formula at hand
};

} // namespace tacit
