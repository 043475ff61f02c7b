#include "check/cvc5/formula.h"

#include <algorithm>

namespace tacit {

namespace {

using Kind = Formula::Kind;

Formula join(TermArena& arena, Kind kind, std::vector<Formula> parts) {
  Formula joined;
  joined.kind = kind;
  std::vector<Term> plain;
  std::vector<Formula> others;
  const auto add = [&](auto&& self, Formula part) -> void {
    if (part.kind == kind) {
      for (Formula& inner : part.parts) self(self, std::move(inner));
    } else if (part.kind == Kind::Plain) {
      plain.push_back(part.term);
    } else {
      others.push_back(std::move(part));
    }
  };
  for (Formula& part : parts) add(add, std::move(part));
  const Term terms =
      kind == Kind::And ? arena.conj(std::move(plain)) : arena.disj(std::move(plain));
  const bool absorbs = kind == Kind::And ? is_false(terms) : is_true(terms);
  if (absorbs || others.empty()) return terms;
  const bool neutral = kind == Kind::And ? is_true(terms) : is_false(terms);
  if (!neutral) joined.parts.emplace_back(terms);
  std::ranges::move(others, std::back_inserter(joined.parts));
  if (joined.parts.size() == 1) return std::move(joined.parts.front());
  return joined;
}

Formula quantified(Kind kind, std::vector<Term> bound, Formula body) {
  if (bound.empty()) return body;
  if (body.kind == Kind::Plain && is_constant(body.term)) return body;
  Formula formula;
  formula.kind = kind;
  formula.bound = std::move(bound);
  formula.parts.push_back(std::move(body));
  return formula;
}

void collect_free(const Formula& formula, TermSet& found) {
  switch (formula.kind) {
  case Kind::Plain:
    for (Term variable : variables(formula.term)) found.insert(variable);
    return;
  case Kind::And:
  case Kind::Or:
    for (const Formula& part : formula.parts) collect_free(part, found);
    return;
  case Kind::Exists:
  case Kind::Forall: {
    TermSet inner = free_variables(formula.parts.front());
    for (Term variable : formula.bound) inner.erase(variable);
    found.merge(inner);
    return;
  }
  }
}

} // namespace

Formula all_of(TermArena& arena, std::vector<Formula> parts) {
  return join(arena, Kind::And, std::move(parts));
}
Formula any_of(TermArena& arena, std::vector<Formula> parts) {
  return join(arena, Kind::Or, std::move(parts));
}

Formula exists(std::vector<Term> bound, Formula body) {
  return quantified(Kind::Exists, std::move(bound), std::move(body));
}
Formula for_all(std::vector<Term> bound, Formula body) {
  return quantified(Kind::Forall, std::move(bound), std::move(body));
}

Formula negation(TermArena& arena, const Formula& formula) {
  if (formula.kind == Kind::Plain) return arena.negate(formula.term);
  std::vector<Formula> parts;
  for (const Formula& part : formula.parts) parts.push_back(negation(arena, part));
  switch (formula.kind) {
  case Kind::And: return any_of(arena, std::move(parts));
  case Kind::Or: return all_of(arena, std::move(parts));
  case Kind::Exists: return for_all(formula.bound, std::move(parts.front()));
  default: return exists(formula.bound, std::move(parts.front()));
  }
}

Formula substitute(TermArena& arena, const Formula& formula, const Substitution& by) {
  if (formula.kind == Kind::Plain) return substitute(arena, formula.term, by);
  std::vector<Formula> parts;
  if (formula.kind == Kind::Exists || formula.kind == Kind::Forall) {
    Substitution inner = by;
    for (Term variable : formula.bound) inner.erase(variable);
    parts.push_back(substitute(arena, formula.parts.front(), inner));
    return quantified(formula.kind, formula.bound, std::move(parts.front()));
  }
  for (const Formula& part : formula.parts) parts.push_back(substitute(arena, part, by));
  return join(arena, formula.kind, std::move(parts));
}

TermSet free_variables(const Formula& formula) {
  TermSet found;
  collect_free(formula, found);
  return found;
}

bool has_quantifier(const Formula& formula) {
  if (formula.kind == Kind::Exists || formula.kind == Kind::Forall) return true;
  return std::ranges::any_of(formula.parts, has_quantifier);
}

} // namespace tacit
