#include "synthesis/alphabet/linear.h"

#include <algorithm>
#include <set>

namespace tacit {
namespace {

void add(LinearSum& sum, Term term, Integer factor) {
  switch (term->op) {
  case Op::IntConst: sum.constant += factor * term->number; return;
  case Op::Add:
    for (Term a : term->args) add(sum, a, factor);
    return;
  case Op::Sub:
    add(sum, term->args[0], factor);
    add(sum, term->args[1], -factor);
    return;
  case Op::Neg: add(sum, term->args[0], -factor); return;
  case Op::Mul:
    for (std::size_t i = 0; i < 2 && term->args.size() == 2; ++i)
      if (term->args[i]->op == Op::IntConst)
        return add(sum, term->args[1 - i], factor * term->args[i]->number);
    break;
  default: break;
  }
  if ((sum.parts[term] += factor) == 0) sum.parts.erase(term);
}

bool is_comparison(TermArena& arena, Term term) {
  return (term->op == Op::Eq || term->op == Op::Le || term->op == Op::Lt) &&
         term->args[0]->sort == arena.int_sort();
}

LinearSum difference(Term comparison) {
  LinearSum sum;
  add(sum, comparison->args[0], 1);
  add(sum, comparison->args[1], -1);
  return sum;
}

/// With a positive factor of the first part.
void normalise_sign(LinearSum& sum) {
  if (sum.parts.empty() || sum.parts.begin()->second > 0) return;
  for (auto& [part, factor] : sum.parts) factor = -factor;
  sum.constant = -sum.constant;
}

bool over(Term term, const IsState& is_state) {
  const auto all = variables(term);
  return !all.empty() && std::ranges::all_of(all, is_state);
}

class Parts {
public:
  Parts(TermArena& arena, const IsState& is_state) : arena_(arena), is_state_(is_state) {}

  void walk(Term term) {
    if (is_comparison(arena_, term)) return sum(difference(term));
    if (term->sort == arena_.int_sort() && term->op != Op::Ite) return sum(linear_sum(term));
    // A map in which something was written is known with the map and the place.
    if (over(term, is_state_) && term->op != Op::Store &&
        (term->sort != arena_.bool_sort() || term->op == Op::Var)) {
      found_.insert(term);
      return;
    }
    for (Term a : term->args) walk(a);
  }

  std::vector<Term> found() const { return {found_.begin(), found_.end()}; }

private:
  void sum(LinearSum all) {
    LinearSum of_state;
    for (const auto& [part, factor] : all.parts) {
      if (over(part, is_state_))
        of_state.parts[part] = factor;
      else
        for (Term a : part->args) walk(a);
    }
    if (of_state.parts.empty()) return;
    normalise_sign(of_state);
    found_.insert(to_term(arena_, of_state));
  }

  TermArena& arena_;
  const IsState& is_state_;
  std::set<Term, TermById> found_;
};

} // namespace

LinearSum linear_sum(Term term) {
  LinearSum sum;
  add(sum, term, 1);
  return sum;
}

Term with_still_places(TermArena& arena, Term term) {
  if (term->args.empty()) return term;
  std::vector<Term> args;
  for (Term a : term->args) args.push_back(with_still_places(arena, a));
  if ((term->op == Op::Select || term->op == Op::Store) && args[1]->sort == arena.int_sort())
    if (LinearSum key = linear_sum(args[1]); !key.parts.empty() && key.constant != 0) {
      key.constant = 0;
      args[1] = to_term(arena, key);
    }
  return arena.rebuild(term, std::move(args));
}

Term to_term(TermArena& arena, const LinearSum& sum) {
  Term made = nullptr;
  // A sum that begins with a minus sign is hard to read.
  for (const bool positive : {true, false})
    for (const auto& [part, factor] : sum.parts) {
      if ((factor > 0) != positive) continue;
      const Integer times = factor < 0 ? -factor : factor;
      const Term one = times == 1 ? part : arena.mul(arena.integer(times), part);
      if (!made)
        made = positive ? one : arena.neg(one);
      else
        made = positive ? arena.add(made, one) : arena.sub(made, one);
    }
  if (!made) return arena.integer(sum.constant);
  if (sum.constant > 0) return arena.add(made, arena.integer(sum.constant));
  if (sum.constant < 0) return arena.sub(made, arena.integer(-sum.constant));
  return made;
}

std::optional<Term> compared_number(TermArena& arena, Term atom) {
  if (atom->op == Op::Not) atom = atom->args[0];
  if (!is_comparison(arena, atom)) return std::nullopt;
  LinearSum sum = difference(atom);
  if (sum.parts.empty()) return std::nullopt;
  normalise_sign(sum);
  sum.constant = 0;
  return to_term(arena, sum);
}

std::vector<Term> state_parts(TermArena& arena, Term formula, const IsState& is_state) {
  Parts parts(arena, is_state);
  parts.walk(formula);
  return parts.found();
}

void TrackedTerms::add(Term term, Term name) {
  said_.clear();
  terms_.push_back(term);
  names_.push_back(name);
  sums_.push_back(term->sort == arena_.int_sort() ? linear_sum(term) : LinearSum{});
}

bool TrackedTerms::contains(Term term) const { return std::ranges::count(terms_, term) > 0; }

bool TrackedTerms::mentions_state(Term term) const {
  return std::ranges::any_of(variables(term), is_state_);
}

std::optional<Term> TrackedTerms::named(Term formula) const {
  if (const auto known = said_.find(formula); known != said_.end()) return known->second;
  const auto made = name(formula);
  said_.emplace(formula, made);
  return made;
}

std::optional<Term> TrackedTerms::name(Term formula) const {
  if (!mentions_state(formula)) return formula;
  for (std::size_t i = 0; i < terms_.size(); ++i)
    if (terms_[i] == formula) return names_[i];
  if (is_comparison(arena_, formula)) {
    const auto left = named_sum(arena_.sub(formula->args[0], formula->args[1]));
    // The sides stay what they are where each can be said by itself.
    std::vector<Term> sides;
    for (Term side : formula->args)
      if (const auto said = named(side)) sides.push_back(*said);
    if (sides.size() == 2) return arena_.rebuild(formula, std::move(sides));
    if (!left) return std::nullopt;
    // Parts with a minus sign go to the other side.
    LinearSum here = linear_sum(*left), there;
    std::erase_if(here.parts, [&](const auto& entry) {
      if (entry.second > 0) return false;
      there.parts[entry.first] = -entry.second;
      return true;
    });
    (here.constant > 0 ? here : there).constant =
        here.constant > 0 ? here.constant : -here.constant;
    if (here.constant < 0) here.constant = 0;
    return arena_.rebuild(formula, {to_term(arena_, here), to_term(arena_, there)});
  }
  if (formula->sort == arena_.int_sort() && formula->op != Op::Ite) return named_sum(formula);
  if (formula->args.empty()) return std::nullopt;
  std::vector<Term> args;
  for (Term a : formula->args) {
    const auto said = named(a);
    if (!said) return std::nullopt;
    args.push_back(*said);
  }
  return arena_.rebuild(formula, std::move(args));
}

std::optional<Term> TrackedTerms::with_named_parts(Term term) const {
  std::vector<Term> args;
  for (Term a : term->args) {
    const auto said = named(a);
    if (!said) return std::nullopt;
    args.push_back(*said);
  }
  return arena_.rebuild(term, std::move(args));
}

/// All that a sum says of the state is one tracked number, once or several times, or each of its
/// parts is one.
std::optional<Term> TrackedTerms::named_sum(Term term) const {
  LinearSum all = linear_sum(term), rest;
  rest.constant = all.constant;
  LinearSum of_state;
  for (const auto& [part, factor] : all.parts) {
    if (!mentions_state(part)) {
      rest.parts[part] += factor;
    } else if (over(part, is_state_)) {
      of_state.parts[part] = factor;
    } else {
      const auto said = with_named_parts(part);
      if (!said) return std::nullopt;
      rest.parts[*said] += factor;
    }
  }
  if (of_state.parts.empty()) return to_term(arena_, rest);
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const auto& mine = sums_[i].parts;
    if (mine.size() != of_state.parts.size()) continue;
    const Integer times =
        mine.begin()->second == 0 ? 0 : of_state.parts.begin()->second / mine.begin()->second;
    if (times == 0 || !std::ranges::all_of(of_state.parts, [&](const auto& entry) {
          const auto found = mine.find(entry.first);
          return found != mine.end() && found->second * times == entry.second;
        }))
      continue;
    rest.parts[names_[i]] += times;
    rest.constant -= times * sums_[i].constant;
    return to_term(arena_, rest);
  }
  for (const auto& [part, factor] : of_state.parts) {
    const auto at = std::ranges::find(terms_, part);
    if (at == terms_.end()) {
      // A read of a tracked map, say.
      if (part->args.empty()) return std::nullopt;
      const auto said = with_named_parts(part);
      if (!said) return std::nullopt;
      rest.parts[*said] += factor;
      continue;
    }
    rest.parts[names_[static_cast<std::size_t>(at - terms_.begin())]] += factor;
  }
  return to_term(arena_, rest);
}

} // namespace tacit
