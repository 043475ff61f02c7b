// What is known about "there are values of `bound` that make `goal` true", for one goal: a growing
// list of *regions* of the other variables where it holds.
//
// A region is the goal with terms put in for `bound` (a row), so it is right whatever the row is.
// Rows are read off a valuation that was asked to choose among *candidates* where it can: terms
// that the goal compares a bound variable with, and other variables. When rows do not get to an
// end, regions are found by model-based projection instead, which says where there is a choice
// without naming it.
#pragma once

#include <vector>

#include <z3++.h>

#include "logic/z3/translation.h"

namespace tacit {

class Choices {
public:
  Choices(Translation& translation, Term goal, std::span<const Term> bound);

  /// The variables that are not bound, of the goal and of candidates.
  const std::vector<Term>& outside() const { return outside_; }
  /// The goal with all facts that its terms need.
  z3::expr goal() const { return goal_ && facts_; }
  bool linear() const { return linear_; }

  /// A variable that a choice may be equal to.
  void suggest(Term variable);
  /// Every bound number is one of its candidates.
  z3::expr among_candidates() const;

  /// Learns regions around a valuation that makes the goal true.
  void learn(const z3::model& model, bool project);

  struct Region {
    z3::expr condition;
    z3::expr facts; // what is true of the terms in the condition anyway
  };
  const std::vector<Region>& regions() const { return regions_; }
  const std::vector<std::vector<z3::expr>>& rows() const { return rows_; }
  const std::vector<Term>& bound() const { return bound_; }
  /// Some region came from projection, so the rows alone may not be enough.
  bool projected() const { return projected_; }

private:
  void collect_candidates();
  bool add_candidate(std::size_t index, const z3::expr& term);
  void add(std::vector<z3::expr> row);
  void add_projection(const z3::model& model);

  Translation& translation_;
  z3::context& context_;
  std::vector<Term> bound_, outside_;
  z3::expr_vector constants_;
  z3::expr goal_;  // and the ranges of bound variables
  z3::expr facts_; // of the other terms in it
  bool linear_ = true;
  std::vector<std::vector<z3::expr>>
      candidates_; // for each bound variable, without bound variables
  std::vector<Region> regions_;
  std::vector<std::vector<z3::expr>> rows_;
  bool projected_ = false;
};

} // namespace tacit
