// What a learner knows about the language, and how it comes to know more: the word
// oracle behind a memory that draws all conclusions it can (learning/answer_trie.h).
//
// Nothing is asked twice, nothing is asked that follows, and the budget is polled after
// every answer. When it is exhausted the answer just received is dropped (see the recipe
// in learning/oracle.h) and stopped() stays true; all later questions fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.h"
#include "learning/answer_trie.h"
#include "learning/oracle.h"

namespace tacit {

class Knowledge {
public:
  /// The oracle and the budget, which may be null, outlive this object.
  Knowledge(std::size_t letters, WordOracle& oracle, LetterGroups groups, Budget* budget);

  /// The answer, asked for if it is not known. No value: stopped.
  std::optional<Answer> ask(const Word& word);

  /// Makes the answers of all one-letter extensions of a Legal word known, with one batch
  /// of questions, or two where groups promise to save some. False: stopped.
  bool ask_extensions(const Word& word);

  std::optional<Answer> known(std::span<const Letter> word) const { return trie_.find(word); }
  const AnswerTrie& trie() const { return trie_; }

  bool stopped() const { return stopped_; }

  /// Questions that reached the oracle, and the letters in them.
  std::uint64_t queries() const { return queries_; }
  std::uint64_t letters_in_queries() const { return letters_in_queries_; }

private:
  bool poll();
  bool ask_unknown(std::span<const Word> words);

  std::size_t letters_;
  WordOracle& oracle_;
  Budget* budget_;
  AnswerTrie trie_;
  std::vector<Letter> first_of_group_; // one letter of each group; empty without groups
  bool stopped_ = false;
  std::uint64_t queries_ = 0;
  std::uint64_t letters_in_queries_ = 0;
};

} // namespace tacit
