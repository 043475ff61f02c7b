#include "learning/answer_trie.h"

#include <algorithm>

#include "base/should.h"

namespace tacit {

AnswerTrie::AnswerTrie(LetterGroups groups) : nodes_(1), siblings_(groups.size()) {
  for (Letter a = 0; a < groups.size(); ++a)
    for (Letter b = 0; b < groups.size(); ++b)
      if (a != b && groups[a] == groups[b]) siblings_[a].push_back(b);
}

std::optional<AnswerTrie::Node> AnswerTrie::child(Node node, Letter letter) const {
  const auto& children = nodes_[node].children;
  const auto at = std::ranges::lower_bound(children, letter, {}, &std::pair<Letter, Node>::first);
  if (at == children.end() || at->first != letter) return std::nullopt;
  return at->second;
}

AnswerTrie::Node AnswerTrie::make_child(Node node, Letter letter) {
  auto& children = nodes_[node].children;
  const auto at = std::ranges::lower_bound(children, letter, {}, &std::pair<Letter, Node>::first);
  if (at != children.end() && at->first == letter) return at->second;
  const Node made = static_cast<Node>(nodes_.size());
  children.insert(at, {letter, made});
  nodes_.emplace_back(); // after the last use of `children`
  return made;
}

void AnswerTrie::settle(Node node, Answer answer) {
  auto& known = nodes_[node].answer;
  should(!known || *known == answer, "a word oracle should not contradict itself");
  known = answer;
}

void AnswerTrie::insert(std::span<const Letter> word, Answer answer) {
  Node node = root;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (answer == Answer::Legal) settle(node, answer);
    if (const auto known = nodes_[node].answer; known && *known != Answer::Legal) {
      should(*known == answer, "a word oracle should not contradict itself");
      return;
    }
    if (answer == Answer::Illegal && i + 1 == word.size() && !siblings_.empty())
      for (Letter sibling : siblings_[word[i]]) settle(make_child(node, sibling), answer);
    node = make_child(node, word[i]);
  }
  settle(node, answer);
}

std::optional<Answer> AnswerTrie::find(Node from, std::span<const Letter> suffix) const {
  Node node = from;
  for (Letter letter : suffix) {
    const auto known = nodes_[node].answer;
    if (known && *known != Answer::Legal) return known;
    const auto to = child(node, letter);
    if (!to) return std::nullopt;
    node = *to;
  }
  return nodes_[node].answer;
}

AnswerTrie::Node AnswerTrie::legal_node(std::span<const Letter> word) const {
  Node node = root;
  for (Letter letter : word) {
    const auto to = child(node, letter);
    should(to.has_value(), "a legal word should have been recorded");
    node = *to;
  }
  should(nodes_[node].answer == Answer::Legal, "the word should be known to be legal");
  return node;
}

} // namespace tacit
