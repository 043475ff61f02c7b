// The predicates that the engine `game` plays on: those of the user, or the guards of errors.
#pragma once

#include <string>
#include <vector>

#include "abstraction/boolean/boolean_program.h"
#include "synthesis/predicate/setting.h"

namespace tacit {

struct GamePredicates {
  std::vector<Term> taken;
  // Left out: true everywhere or false everywhere; about nothing that any call depends on.
  std::vector<std::string> constant, irrelevant;

  /// Fails on what is no predicate, or when there are too many.
  static Result<GamePredicates> choose(PredicateSetting& setting);
  /// The component over those that were taken.
  Result<BooleanProgram> program(PredicateSetting& setting) const;
  /// What a result says about those that were left out; empty when there are none.
  std::string left_out() const;
};

/// 'a', 'b'
std::string quoted(const std::vector<std::string>& texts);

} // namespace tacit
