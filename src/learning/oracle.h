// The two kinds of teacher that a learner sees: one judges words, the other
// judges hypotheses. Nothing else of a component reaches this layer.
//
// What is learned is a prefix-closed language over letters (calls with their
// outcomes) in which every word has one of three answers, settled by the first
// letter that is not harmless:
//
//               a call that may err                        an outcome that cannot occur
//   Illegal  <────────────────────────  Legal words  ────────────────────────>  CannotHappen
//   (with all extensions)               (with all prefixes)            (with all extensions)
//
// Letters of the same call form a group: after one word they are either all
// Illegal, or each of them is Legal or CannotHappen.
//
// Recipe for a word oracle. MUST: give the same answer to the same word for ever,
// and answers that fit the picture. MAY: override ask_all() where many words are
// cheaper together. BEWARE: there is no answer "unknown". An oracle that shares a
// Budget with the learner may answer anything once that budget is exhausted,
// because the learner polls it after every answer and then drops the answer; any
// other doubt has to be resolved by the oracle, usually to Illegal, and reported
// by its owner.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "automata/alphabet.h"

namespace tacit {

struct Hypothesis;

enum class Answer : std::uint8_t {
  Legal,        ///< no prefix ends in a call that may err, and all outcomes can occur
  Illegal,      ///< a call in the word may err
  CannotHappen, ///< a call in the word cannot have the outcome it is given
};

/// "legal", "illegal", "cannot happen".
std::string_view to_string(Answer answer);

/// The group of each letter, indexed by letter; groups are any numbers. Empty: every
/// letter is a group of its own.
using LetterGroups = std::vector<std::uint32_t>;

/// Judges words: membership queries.
class WordOracle {
public:
  virtual ~WordOracle() = default;

  virtual Answer ask(const Word& word) = 0;

  /// The answers in the order of the words, which are pairwise different and none of
  /// which is known to extend an illegal word or one that cannot happen. By default
  /// they are asked one by one.
  virtual std::vector<Answer> ask_all(std::span<const Word> words);
};

/// Judges hypotheses: equivalence queries.
class EquivalenceOracle {
public:
  virtual ~EquivalenceOracle() = default;

  /// A word on which the hypothesis and the word oracle disagree. A counterexample is
  /// real. None proves nothing, unless the implementation says that it does.
  virtual std::optional<Word> counterexample(const Hypothesis& hypothesis) = 0;
};

} // namespace tacit
