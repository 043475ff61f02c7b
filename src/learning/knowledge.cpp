#include "learning/knowledge.h"

#include <set>
#include <utility>

#include "base/should.h"

namespace tacit {

Knowledge::Knowledge(std::size_t letters, WordOracle& oracle, LetterGroups groups, Budget* budget)
    : letters_(letters), oracle_(oracle), budget_(budget), trie_(groups) {
  should(groups.empty() || groups.size() == letters, "every letter should have a group");
  std::set<std::uint32_t> seen;
  for (Letter a = 0; a < groups.size(); ++a)
    if (seen.insert(groups[a]).second) first_of_group_.push_back(a);
}

// A question may take a solver long, so the clock is read each time.
bool Knowledge::poll() {
  if (!stopped_ && budget_ != nullptr) stopped_ = budget_->exhausted_now();
  return !stopped_;
}

std::optional<Answer> Knowledge::ask(const Word& word) {
  if (stopped_) return std::nullopt;
  if (const auto answer = trie_.find(word)) return answer;
  if (!poll()) return std::nullopt;
  ++queries_;
  letters_in_queries_ += word.size();
  const Answer answer = oracle_.ask(word);
  if (!poll()) return std::nullopt;
  trie_.insert(word, answer);
  return answer;
}

bool Knowledge::ask_unknown(std::span<const Word> words) {
  std::vector<Word> unknown;
  for (const Word& word : words)
    if (!trie_.find(word)) unknown.push_back(word);
  if (unknown.empty()) return !stopped_;
  if (!poll()) return false;
  queries_ += unknown.size();
  for (const Word& word : unknown) letters_in_queries_ += word.size();
  const std::vector<Answer> answers = oracle_.ask_all(unknown);
  should(answers.size() == unknown.size(), "every word of a batch should be answered");
  if (!poll()) return false;
  for (std::size_t i = 0; i < unknown.size(); ++i) trie_.insert(unknown[i], answers[i]);
  return true;
}

bool Knowledge::ask_extensions(const Word& word) {
  std::vector<Word> words;
  const auto add = [&](Letter letter) {
    words.push_back(word);
    words.back().push_back(letter);
  };
  // One letter per call first: if the call errs, its other letters need no question.
  for (Letter letter : first_of_group_) add(letter);
  if (!ask_unknown(words)) return false;
  words.clear();
  for (Letter letter = 0; letter < letters_; ++letter) add(letter);
  return ask_unknown(words);
}

} // namespace tacit
