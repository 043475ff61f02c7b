#include "learning/wrappers.h"

#include <cstddef>

namespace tacit {

Answer CachingOracle::ask(const Word& word) {
  if (const auto answer = trie_.find(word)) return *answer;
  const Answer answer = inside_.ask(word);
  if (budget_ == nullptr || !budget_->exhausted_now()) trie_.insert(word, answer);
  return answer;
}

std::vector<Answer> CachingOracle::ask_all(std::span<const Word> words) {
  std::vector<Answer> answers(words.size(), Answer::CannotHappen);
  std::vector<Word> unknown;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (const auto answer = trie_.find(words[i])) {
      answers[i] = *answer;
    } else {
      unknown.push_back(words[i]);
      places.push_back(i);
    }
  }
  if (unknown.empty()) return answers;
  const std::vector<Answer> asked = inside_.ask_all(unknown);
  const bool meant = budget_ == nullptr || !budget_->exhausted_now();
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    answers[places[i]] = asked[i];
    if (meant) trie_.insert(unknown[i], asked[i]);
  }
  return answers;
}

Answer CountingOracle::ask(const Word& word) {
  ++queries_;
  letters_ += word.size();
  return inside_.ask(word);
}

std::vector<Answer> CountingOracle::ask_all(std::span<const Word> words) {
  ++batches_;
  queries_ += words.size();
  for (const Word& word : words) letters_ += word.size();
  return inside_.ask_all(words);
}

Answer BudgetOracle::ask(const Word& word) {
  if (budget_.exhausted_now()) return Answer::CannotHappen;
  budget_.count_query();
  return inside_.ask(word);
}

std::vector<Answer> BudgetOracle::ask_all(std::span<const Word> words) {
  if (budget_.exhausted_now()) return std::vector<Answer>(words.size(), Answer::CannotHappen);
  for (std::size_t i = 0; i < words.size(); ++i) budget_.count_query();
  return inside_.ask_all(words);
}

} // namespace tacit
