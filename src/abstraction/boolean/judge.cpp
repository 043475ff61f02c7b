#include "abstraction/boolean/judge.h"

#include <algorithm>
#include <set>

namespace tacit {
namespace {

constexpr std::size_t most_transitive = 14;
constexpr std::size_t most_related = 60;
constexpr std::size_t most_valuations = 600;
constexpr std::size_t most_for_triples = 10;

bool share(const std::vector<Term>& a, const std::set<Term>& b) {
  return std::ranges::any_of(a, [&](Term v) { return b.contains(v); });
}

} // namespace

std::vector<std::size_t> PredicateJudge::related(const JudgedPredicates& scope,
                                                 const std::vector<Term>& terms,
                                                 bool transitively) const {
  std::set<Term> reached;
  for (Term t : terms)
    for (Term v : variables(t)) reached.insert(v);
  std::vector<std::size_t> found;
  std::vector<bool> taken(scope.predicates.size(), false);
  for (bool more = true; more;) {
    more = false;
    std::set<Term> next = reached;
    for (std::size_t i = 0; i < scope.predicates.size(); ++i) {
      const auto mentioned = variables(scope.predicates[i]);
      if (taken[i] || !share(mentioned, reached)) continue;
      taken[i] = more = true;
      found.push_back(i);
      next.insert(mentioned.begin(), mentioned.end());
    }
    if (!transitively) break;
    reached = std::move(next);
  }
  return found;
}

std::optional<std::vector<PredicateJudge::Valuation>>
PredicateJudge::valuations(const JudgedPredicates& scope, const std::vector<std::size_t>& among,
                           std::vector<Term> assumptions) {
  std::vector<Term> wanted;
  for (std::size_t i : among) wanted.push_back(scope.predicates[i]);
  std::vector<Valuation> found;
  const auto answer = solver_.all_sat(assumptions, wanted, [&](const std::vector<bool>& values) {
    Valuation one = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i]) one |= Valuation{1} << i;
    found.push_back(one);
    return found.size() <= most_valuations;
  });
  if (answer != Enumeration::Complete) return std::nullopt;
  std::ranges::sort(found);
  return found;
}

/// Cubes that hold all of `on` and none of `off`: each valuation gives up one literal after the
/// other, those of distant predicates first.
Term PredicateJudge::cover(const JudgedPredicates& scope, const std::vector<std::size_t>& among,
                           const std::vector<Valuation>& on, const std::vector<Valuation>& off) {
  if (off.empty()) return arena_.boolean(!on.empty());
  std::vector<std::pair<Valuation, Valuation>> cubes; // mask, value
  std::vector<Term> parts;
  for (Valuation one : on) {
    if (std::ranges::any_of(cubes, [&](const auto& c) { return (one & c.first) == c.second; }))
      continue;
    Valuation mask = among.size() == 64 ? ~Valuation{0} : (Valuation{1} << among.size()) - 1;
    for (std::size_t i = among.size(); i-- > 0;) {
      const Valuation less = mask & ~(Valuation{1} << i);
      if (std::ranges::none_of(off, [&](Valuation v) { return (v & less) == (one & less); }))
        mask = less;
    }
    cubes.push_back({mask, one & mask});
    std::vector<Term> literals;
    for (std::size_t i = 0; i < among.size(); ++i)
      if (mask >> i & 1) {
        const Term b = scope.variables[among[i]];
        literals.push_back(one >> i & 1 ? b : arena_.negate(b));
      }
    parts.push_back(arena_.conj(std::move(literals)));
  }
  return arena_.disj(std::move(parts));
}

std::optional<Judgement> PredicateJudge::by_valuations(const JudgedPredicates& scope,
                                                       const std::vector<std::size_t>& among,
                                                       Term facts, Term formula, Term under) {
  if (among.size() > most_related) return std::nullopt;
  const auto can = valuations(scope, among, {facts, under, formula});
  if (!can) return std::nullopt;
  const auto cannot = valuations(scope, among, {facts, under, arena_.negate(formula)});
  if (!cannot) return std::nullopt;
  std::vector<Valuation> only_true, only_false, both, either;
  std::ranges::set_difference(*can, *cannot, std::back_inserter(only_true));
  std::ranges::set_difference(*cannot, *can, std::back_inserter(only_false));
  std::ranges::set_intersection(*can, *cannot, std::back_inserter(both));
  Judgement result{cover(scope, among, only_true, *cannot), cover(scope, among, only_false, *can),
                   !both.empty(), nullptr};
  if (!result.open && can->empty()) result.no = arena_.truth();
  if (is_true(under)) return result;
  const auto all = valuations(scope, among, {facts});
  if (!all) return result;
  std::ranges::set_union(*can, *cannot, std::back_inserter(either));
  std::vector<Valuation> never;
  std::ranges::set_difference(*all, either, std::back_inserter(never));
  if (!never.empty()) result.impossible = cover(scope, among, never, either);
  return result;
}

/// When there are too many valuations: single literals and pairs of them.
Judgement PredicateJudge::by_literals(const JudgedPredicates& scope,
                                      const std::vector<std::size_t>& among, Term facts,
                                      Term formula, Term under) {
  std::vector<std::pair<Term, Term>> literals; // the predicate's, the variable's
  for (std::size_t i : among) {
    literals.push_back({scope.predicates[i], scope.variables[i]});
    literals.push_back({arena_.negate(scope.predicates[i]), arena_.negate(scope.variables[i])});
  }
  auto implying = [&](Term goal) {
    const Term refuted = arena_.negate(goal);
    std::vector<Term> parts;
    std::set<std::size_t> alone;
    for (std::size_t i = 0; i < literals.size(); ++i)
      if (solver_.check({facts, under, literals[i].first, refuted}) == Truth::Unsat) {
        parts.push_back(literals[i].second);
        alone.insert(i);
      }
    constexpr std::size_t most_for_pairs = 40;
    for (std::size_t i = 0; i < literals.size() && literals.size() <= most_for_pairs; ++i)
      for (std::size_t j = i + 1; j < literals.size(); ++j)
        if (i / 2 != j / 2 && !alone.contains(i) && !alone.contains(j) &&
            solver_.check({facts, under, literals[i].first, literals[j].first, refuted}) ==
                Truth::Unsat)
          parts.push_back(arena_.conj(literals[i].second, literals[j].second));
    return arena_.disj(std::move(parts));
  };
  return {implying(formula), implying(arena_.negate(formula)), true, nullptr};
}

Judgement PredicateJudge::judge(const JudgedPredicates& scope, Term facts, Term formula,
                                Term under) {
  if (is_true(formula)) return {arena_.truth(), arena_.falsehood(), false, nullptr};
  if (is_false(formula)) return {arena_.falsehood(), arena_.truth(), false, nullptr};
  if (is_true(under))
    for (std::size_t i = 0; i < scope.predicates.size(); ++i) {
      const Term b = scope.variables[i];
      if (scope.predicates[i] == formula) return {b, arena_.negate(b), false, nullptr};
      if (arena_.negate(scope.predicates[i]) == formula)
        return {arena_.negate(b), b, false, nullptr};
    }
  const auto near = related(scope, {formula, under}, false);
  const auto far = related(scope, {formula, under}, true);
  if (far.size() <= most_transitive)
    if (auto result = by_valuations(scope, far, facts, formula, under)) return *result;
  if (near.size() != far.size() || near.size() > most_transitive)
    if (auto result = by_valuations(scope, near, facts, formula, under)) return *result;
  return by_literals(scope, near, facts, formula, under);
}

bool PredicateJudge::contradictory(Term facts, std::vector<Term> literals) {
  std::ranges::sort(literals, TermById());
  auto key = literals;
  key.push_back(facts);
  const auto [at, fresh] = contradictory_.try_emplace(std::move(key), false);
  if (fresh) {
    literals.push_back(facts);
    at->second = solver_.check(literals) == Truth::Unsat;
  }
  return at->second;
}

Term PredicateJudge::consistent(const JudgedPredicates& scope, Term facts,
                                const std::vector<std::size_t>& changed) {
  std::vector<Term> clauses;
  std::set<std::size_t> done;
  auto literal = [&](const std::vector<Term>& from, std::size_t i, bool holds) {
    return holds ? from[i] : arena_.negate(from[i]);
  };
  for (std::size_t i : changed) {
    done.insert(i);
    for (bool a : {true, false})
      if (contradictory(facts, {literal(scope.predicates, i, a)}))
        clauses.push_back(literal(scope.variables, i, !a));
    auto others = related(scope, {scope.predicates[i]}, false);
    std::erase_if(others, [&](std::size_t j) { return done.contains(j); });
    for (std::size_t n = 0; n < others.size(); ++n)
      for (unsigned bits = 0; bits < 4; ++bits) {
        const std::size_t j = others[n];
        const Term p = literal(scope.predicates, i, bits & 1),
                   q = literal(scope.predicates, j, bits & 2);
        if (contradictory(facts, {p}) || contradictory(facts, {q})) continue;
        const Term clause = arena_.disj(literal(scope.variables, i, !(bits & 1)),
                                        literal(scope.variables, j, !(bits & 2)));
        if (contradictory(facts, {p, q})) {
          clauses.push_back(clause);
          continue;
        }
        if (others.size() > most_for_triples) continue;
        for (std::size_t m = n + 1; m < others.size(); ++m)
          for (bool c : {true, false}) {
            const Term r = literal(scope.predicates, others[m], c);
            if (contradictory(facts, {r}) || contradictory(facts, {p, r}) ||
                contradictory(facts, {q, r}) || !contradictory(facts, {p, q, r}))
              continue;
            clauses.push_back(arena_.disj(clause, literal(scope.variables, others[m], !c)));
          }
      }
  }
  return arena_.conj(std::move(clauses));
}

} // namespace tacit
