#include "abstraction/maymust/parts.h"

#include <algorithm>
#include <map>
#include <optional>

namespace tacit {
namespace {

/// Terms that share variables, directly or by way of others, are in one class.
class Classes {
public:
  /// The class of a term's variables; nothing for one without.
  std::optional<std::size_t> join(Term term) {
    std::optional<std::size_t> all;
    for (Term v : variables(term)) {
      const auto [at, fresh] = of_.try_emplace(v, parent_.size());
      if (fresh) parent_.push_back(at->second);
      const std::size_t mine = find(at->second);
      if (all)
        parent_[mine] = *all;
      else
        all = mine;
    }
    return all;
  }
  std::size_t find(std::size_t one) {
    while (parent_[one] != one) one = parent_[one] = parent_[parent_[one]];
    return one;
  }

private:
  std::map<Term, std::size_t> of_;
  std::vector<std::size_t> parent_;
};

void add_conjuncts(Term term, std::vector<Term>& into) {
  if (term->op != Op::And) {
    if (!is_true(term)) into.push_back(term);
    return;
  }
  for (Term part : term->args) add_conjuncts(part, into);
}

class Partition {
public:
  Partition(TermArena& arena, const std::vector<Term>& predicates, const AskedStep& step)
      : arena_(arena), predicates_(predicates), step_(step) {
    add_conjuncts(step.guard, guard_);
    add_conjuncts(step.facts, facts_);
    for (const std::vector<Term>* some : std::initializer_list<const std::vector<Term>*>{
             &guard_, &facts_, &predicates_, &step.later})
      for (Term term : *some)
        if (term) classes_.join(term);
  }

  std::vector<StepPart> parts() {
    for (Term term : guard_) known_[class_of(term)].push_back(term);
    for (std::size_t i = 0; i < step_.later.size(); ++i)
      if (const Term then = step_.later[i]) {
        StepPart& part = parts_[class_of(then)];
        part.later.push_back(then);
        part.changed.push_back(i);
      }
    for (const auto& [key, some] : known_) parts_[key];
    for (Term fact : facts_)
      if (parts_.contains(class_of(fact))) known_[class_of(fact)].push_back(fact);
    for (std::size_t i = 0; i < predicates_.size(); ++i)
      if (const auto part = parts_.find(class_of(predicates_[i])); part != parts_.end())
        part->second.literals.set(i, true);
    std::vector<StepPart> made;
    for (auto& [key, part] : parts_) {
      part.known = arena_.conj(std::move(known_[key]));
      made.push_back(std::move(part));
    }
    // What can refute the step at once comes first.
    std::ranges::stable_partition(made, [](const StepPart& part) { return part.later.empty(); });
    return made;
  }

private:
  /// Constants are a class of their own.
  std::optional<std::size_t> class_of(Term term) {
    const auto one = classes_.join(term);
    return one ? std::optional(classes_.find(*one)) : std::nullopt;
  }

  TermArena& arena_;
  const std::vector<Term>& predicates_;
  const AskedStep& step_;
  Classes classes_;
  std::vector<Term> guard_, facts_;
  std::map<std::optional<std::size_t>, std::vector<Term>> known_;
  std::map<std::optional<std::size_t>, StepPart> parts_;
};

} // namespace

std::vector<StepPart> independent_parts(TermArena& arena, const std::vector<Term>& predicates,
                                        const AskedStep& step) {
  return Partition(arena, predicates, step).parts();
}

} // namespace tacit
