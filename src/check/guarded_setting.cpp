#include "check/guarded_setting.h"

#include <algorithm>

namespace tacit {

GuardedSetting::GuardedSetting(const Interface& interface, const Component& component,
                               const Alignment& alignment, const ClientConditions& conditions,
                               Budget* budget, Findings& findings)
    : LabelledSetting(interface, component, alignment, budget, findings), conditions_(conditions),
      prefix_("?seen ") {
  for (const auto& value : conditions.tracked()) tracked_.push_back(erasure_.term(value.term));
  for (const StateVariable& variable : component.module().state)
    while (variable.name().starts_with(prefix_)) prefix_ += "?";
}

Substitution GuardedSetting::arguments(const CallRuns& runs) {
  Substitution by;
  for (const Choice& choice : runs.upper().choices)
    if (choice.chooser == Chooser::Client && choice.target != nullptr)
      by.emplace(erasure_.term(choice.target), choice.term);
  return by;
}

Term GuardedSetting::over_state(Term condition, const CallRuns& runs, Term result_variable,
                                Term result) {
  Substitution by = arguments(runs);
  for (std::size_t i = 0; i < tracked_.size(); ++i)
    by.emplace(erasure_.term(conditions_.tracked()[i].variable), tracked_[i]);
  if (result_variable != nullptr && result != nullptr)
    by.emplace(erasure_.term(result_variable), result);
  return substitute(arena_, erasure_.term(condition), by);
}

Term GuardedSetting::applies(const ClientConditions::Cell& cell, const CallRuns& runs,
                             const Call& call, const Exit& exit) {
  if (cell.when.mentions_result && exit.value == nullptr) return arena_.falsehood();
  return over_state(cell.when.term, runs, ClientConditions::result_of(component_, call),
                    exit.value);
}

Term GuardedSetting::updated(const ClientConditions::Cell& cell, const CallRuns& runs,
                             const Call& call, const Exit& exit) {
  std::vector<Term> parts;
  for (std::size_t i = 0; i < tracked_.size(); ++i) {
    const ClientConditions::Update& set = cell.set[i];
    using Kind = ClientConditions::Update::Kind;
    if (set.kind == Kind::Anything || (set.mentions_result && exit.value == nullptr))
      return arena_.falsehood(); // nothing vouches for it
    const Term value =
        set.kind == Kind::Kept
            ? tracked_[i]
            : over_state(set.term, runs, ClientConditions::result_of(component_, call), exit.value);
    parts.push_back(
        erasure_.equal(conditions_.tracked()[i].term->sort, runs.after(exit, tracked_[i]), value));
  }
  return arena_.conj(std::move(parts));
}

Term GuardedSetting::same_tracked(const StateCopy& a, const StateCopy& b) {
  std::vector<Term> parts;
  for (std::size_t i = 0; i < tracked_.size(); ++i)
    parts.push_back(erasure_.equal(conditions_.tracked()[i].term->sort,
                                   substitute(arena_, tracked_[i], a),
                                   substitute(arena_, tracked_[i], b)));
  return arena_.conj(std::move(parts));
}

const StateCopy& GuardedSetting::copy(std::size_t n) {
  while (copies_.size() <= n) {
    StateCopy by;
    const auto& state = component_.module().state;
    for (std::size_t i = 0; i < state.size() && !copies_.empty(); ++i) {
      const Term original = encoder_.state()[i];
      const Term other = arena_.var(
          fmt::format("{}{} {}", prefix_, copies_.size(), state[i].name()), original->sort);
      prover_.declare(other, state[i].type);
      by.emplace(original, other);
    }
    copies_.push_back(std::move(by));
  }
  return copies_[n];
}

StateCopy GuardedSetting::copy(std::size_t n, const TermSet& shared) {
  StateCopy by = copy(n);
  for (Term variable : shared) by.erase(variable);
  return by;
}

Term GuardedSetting::same_passed(State q, std::size_t written_call, const CallRuns& runs,
                                 const StateCopy& a, const StateCopy& b) {
  TermSet reads;
  const auto visit = [&](auto&& self, Term term) -> void {
    if (term->op == Op::Select) {
      reads.insert(term);
      return;
    }
    for (Term arg : term->args) self(self, arg);
  };
  visit(visit, conditions_.guard(q, written_call));
  for (std::size_t t = 0; t < interface_.transitions.size(); ++t) {
    if (interface_.transitions[t].from != q || interface_.transitions[t].call != written_call)
      continue;
    visit(visit, conditions_.cell(t).when.term);
    for (const auto& set : conditions_.cell(t).set)
      if (set.term != nullptr) visit(visit, set.term);
  }
  std::vector<Term> parts;
  for (Term read : reads) {
    if (const auto all = variables(read); std::ranges::none_of(all, [&](Term variable) {
          return component_.module().state_index(variable).has_value();
        }))
      continue;
    const Term here = substitute(arena_, erasure_.term(read), arguments(runs));
    parts.push_back(
        erasure_.equal(read->sort, substitute(arena_, here, a), substitute(arena_, here, b)));
  }
  return arena_.conj(std::move(parts));
}

} // namespace tacit
