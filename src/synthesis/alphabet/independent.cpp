#include "synthesis/alphabet/independent.h"

namespace tacit {

Term IndependentQuestions::root(Term question) {
  Term& parent = parent_.try_emplace(question, question).first->second;
  if (parent == question) return question;
  return parent = root(parent);
}

void IndependentQuestions::join(Term a, Term b) {
  const Term from = root(a), to = root(b);
  if (from != to) parent_[TermById()(from, to) ? to : from] = TermById()(from, to) ? from : to;
}

std::vector<std::vector<Term>> IndependentQuestions::groups() const {
  std::map<Term, std::vector<Term>, TermById> by_root;
  for (const auto& [question, parent] : parent_) {
    Term root = parent;
    while (parent_.at(root) != root) root = parent_.at(root);
    by_root[root].push_back(question);
  }
  std::vector<std::vector<Term>> made;
  for (auto& [root, group] : by_root) made.push_back(std::move(group));
  return made;
}

} // namespace tacit
