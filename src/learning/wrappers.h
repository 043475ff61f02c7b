// Word oracles around word oracles. Each adds one thing and passes the rest on, so they
// stack in any order that makes sense; usually
//
//   CountingOracle ─► CachingOracle ─► CountingOracle ─► BudgetOracle ─► the component
//   all questions                      those that were really asked
//
// Learners remember their own answers (learning/knowledge.h); a cache is for questions
// that several learners or a learner and an equivalence oracle share.
//
// Ownership: a wrapper refers to the oracle inside, which outlives it. One thread.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "learning/answer_trie.h"
#include "learning/oracle.h"

namespace tacit {

/// Remembers answers and what follows from them: prefixes of Legal words, extensions of
/// all others and, given groups, letters of the same call as an Illegal one.
class CachingOracle : public WordOracle {
public:
  /// With a budget, answers received when that is exhausted are not remembered.
  explicit CachingOracle(WordOracle& inside, LetterGroups groups = {}, Budget* budget = nullptr)
      : inside_(inside), trie_(std::move(groups)), budget_(budget) {}

  Answer ask(const Word& word) override;
  std::vector<Answer> ask_all(std::span<const Word> words) override;

  const AnswerTrie& trie() const { return trie_; }

private:
  WordOracle& inside_;
  AnswerTrie trie_;
  Budget* budget_;
};

/// Counts what passes through.
class CountingOracle : public WordOracle {
public:
  explicit CountingOracle(WordOracle& inside) : inside_(inside) {}

  Answer ask(const Word& word) override;
  std::vector<Answer> ask_all(std::span<const Word> words) override;

  std::uint64_t queries() const { return queries_; } ///< words, also those in batches
  std::uint64_t letters() const { return letters_; } ///< in those words
  std::uint64_t batches() const { return batches_; } ///< calls of ask_all

private:
  WordOracle& inside_;
  std::uint64_t queries_ = 0;
  std::uint64_t letters_ = 0;
  std::uint64_t batches_ = 0;
};

/// Counts every word as a query of the budget, and passes nothing on once that is
/// exhausted: the answers are then meaningless, and whoever asks has to poll the budget.
/// A batch is either passed on as a whole or not at all, so it may exceed the limit.
class BudgetOracle : public WordOracle {
public:
  BudgetOracle(WordOracle& inside, Budget& budget) : inside_(inside), budget_(budget) {}

  Answer ask(const Word& word) override;
  std::vector<Answer> ask_all(std::span<const Word> words) override;

private:
  WordOracle& inside_;
  Budget& budget_;
};

} // namespace tacit
