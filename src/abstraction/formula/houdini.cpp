#include "abstraction/formula/houdini.h"

#include <algorithm>
#include <optional>

namespace tacit {

void ClauseSet::add_literals() {
  for (std::size_t literal = 0; literal < 2 * atoms.size(); ++literal)
    clauses.insert({literal, literal});
}

std::vector<Term> ClauseSet::terms(TermArena& arena, const std::vector<Term>& values) const {
  std::vector<Term> found, literals;
  for (const Term value : values) {
    literals.push_back(value);
    literals.push_back(arena.negate(value));
  }
  for (const auto& [a, b] : clauses)
    if (a == b || (!has_literal(a) && !has_literal(b)))
      found.push_back(arena.disj(literals[a], literals[b]));
  return found;
}

Term ClauseSet::conjunction(TermArena& arena) const { return arena.conj(terms(arena, atoms)); }

namespace {

/// Drops the clauses that the solver's last model falsifies; whether there were any.
bool drop_falsified(Solver& solver, ClauseSet& set, const std::vector<Term>& values) {
  std::vector<std::optional<bool>> holds;
  for (const Term v : values) {
    const auto value = solver.value(v);
    holds.push_back(value ? std::optional(value->truth()) : std::nullopt);
  }
  const auto fails = [&](std::size_t literal) {
    const auto& atom = holds[literal / 2];
    return !atom || *atom == (literal % 2 == 1);
  };
  return std::erase_if(set.clauses, [&](const ClauseSet::Clause& c) {
           return fails(c.first) && fails(c.second);
         }) > 0;
}

} // namespace

HoudiniEnd houdini(TermArena& arena, Solver& solver, std::vector<ClauseSet>& locations,
                   const std::vector<HoudiniStep>& steps, std::size_t most_queries) {
  HoudiniEnd end = HoudiniEnd::Stable;
  std::size_t queries = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const HoudiniStep& step : steps) {
      ClauseSet& set = locations[step.location];
      while (!set.clauses.empty()) {
        if (queries++ > most_queries) {
          for (ClauseSet& each : locations) each.clauses.clear();
          return HoudiniEnd::TooMany;
        }
        std::vector<Term> values;
        for (const Term atom : set.atoms) values.push_back(step.after(atom));
        std::vector<Term> query = step.given();
        query.push_back(arena.negate(arena.conj(set.terms(arena, values))));
        const Truth answer = solver.check(query);
        if (answer == Truth::Unsat) break;
        changed = true;
        if (answer == Truth::Unknown) end = HoudiniEnd::Unknown;
        if (answer == Truth::Unknown || !drop_falsified(solver, set, values)) set.clauses.clear();
      }
    }
  }
  return end;
}

} // namespace tacit
