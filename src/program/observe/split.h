// Splitting calls: by hand into letters, and by what the client observes into outcomes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "program/ir/module.h"

namespace tacit {

/// `--letter 'abort_low = abort when altitude < 120000'`.
struct LetterSpec {
  std::string name;
  std::string method;
  std::string condition;
};

Result<LetterSpec> parse_letter_spec(const std::string& text);

/// Adds for each spec a copy of its method that assumes the condition (over parameters and
/// client-owned state) and restricts the method itself to the remainder. Returns the conditions per
/// method so that the caller can check that they do not overlap.
struct LetterConditions {
  std::string method;
  std::vector<std::pair<std::string, Term>> letters; // name, condition
};
Result<std::vector<LetterConditions>> split_letters(Module& module,
                                                    const std::vector<LetterSpec>& specs);

/// Sets Terminator::outcome in one procedure and returns the outcomes' names. A return is split by
/// value when its type is bool or an enumeration, or when at most `max_constants` constants are
/// returned (the rest is `returns=other`); a throw by the exception's simple name. A return or
/// throw whose value is not a constant is branched over. `blind` gives every exit the single
/// outcome `any`.
/// A condition on a returned number: `returns>0` and `returns<=0` are two outcomes.
struct ReturnSplit {
  std::string op; // ==, !=, <, <=, > or >=
  Integer limit = 0;

  std::string holds() const;
  std::string fails() const;
  Term on(TermArena& arena, Term value) const;
};

/// `result > 0`; nothing for other conditions.
std::optional<ReturnSplit> parse_return_split(const std::string& text);

struct OutcomeOptions {
  bool blind = false;
  std::optional<ReturnSplit> by_result = {}; // in place of constants
  std::size_t max_constants = 8;
};
std::vector<std::string> split_outcomes(Module& module, Procedure& procedure,
                                        const OutcomeOptions& options);

} // namespace tacit
