#include "abstraction/formula/answers.h"

#include <functional>

namespace tacit {

std::size_t Answers::Hash::operator()(const std::vector<Term>& terms) const {
  std::size_t sum = terms.size();
  for (Term term : terms) sum = sum * 1099511628211u ^ std::hash<Term>()(term);
  return sum;
}

std::optional<Answers::Valuations> Answers::valuations(Solver& solver,
                                                       const std::vector<Term>& assumptions,
                                                       const std::vector<Term>& asked) {
  std::vector<Term> question = assumptions;
  question.push_back(nullptr);
  question.insert(question.end(), asked.begin(), asked.end());
  if (const auto known = known_.find(question); known != known_.end()) return known->second;
  Valuations found;
  if (asked.empty()) {
    const Truth truth = solver.check(assumptions);
    if (truth == Truth::Unknown) return std::nullopt;
    if (truth == Truth::Sat) found.emplace_back();
  } else {
    const auto end = solver.all_sat(assumptions, asked, [&](const std::vector<bool>& values) {
      found.push_back(values);
      return true;
    });
    if (end != Enumeration::Complete) return std::nullopt;
  }
  return known_.emplace(std::move(question), std::move(found)).first->second;
}

std::optional<bool> Answers::possible(const std::vector<Term>& assumptions) const {
  std::vector<Term> question = assumptions;
  question.push_back(nullptr);
  const auto known = known_.find(question);
  if (known == known_.end()) return std::nullopt;
  return !known->second.empty();
}

void Answers::learn(const std::vector<Term>& assumptions, bool possible) {
  std::vector<Term> question = assumptions;
  question.push_back(nullptr);
  known_.emplace(std::move(question), possible ? Valuations{{}} : Valuations{});
}

} // namespace tacit
