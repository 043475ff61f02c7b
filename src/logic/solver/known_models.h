// Models that a solver has shown: many later questions are answered by one of them, without a
// query. A model speaks of the variables that it was made for; it says nothing about a question
// that has others.
#pragma once

#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

#include "logic/solver/solver.h"

namespace tacit {

class KnownModels {
public:
  /// The solver has just answered Sat: what it says of these variables.
  void add(Solver& solver, std::span<const Term> variables);

  /// Whether some model makes all of them true. The last ones are looked at first: they should be
  /// those that fail most often.
  bool one_shows(std::span<const Term> all) const;

private:
  using Model = std::unordered_map<Term, Value>;
  static bool holds(const Model& model, Term term);

  static constexpr std::size_t most_ = 64;
  std::deque<Model> models_; // the newest last
};

} // namespace tacit
