#include "abstraction/formula/cubes.h"

#include <algorithm>

namespace tacit {

std::vector<Term> cube_literals(TermArena& arena, const std::vector<Term>& predicates,
                                const Cube& cube) {
  std::vector<Term> all;
  for (std::size_t i = 0; i < predicates.size(); ++i)
    all.push_back(cube.holds(i) ? predicates[i] : arena.negate(predicates[i]));
  return all;
}

Term cover(TermArena& arena, const std::vector<Term>& predicates, const std::vector<Cube>& cubes) {
  struct Implicant {
    Cube value, dont_care;
    auto operator<=>(const Implicant&) const = default;
  };
  std::vector<Implicant> current, primes;
  for (const Cube& c : cubes) current.push_back({c, 0});
  while (!current.empty()) {
    std::vector<Implicant> merged;
    std::vector<bool> used(current.size(), false);
    for (std::size_t i = 0; i < current.size(); ++i)
      for (std::size_t j = i + 1; j < current.size(); ++j) {
        const Cube difference = current[i].value ^ current[j].value;
        if (current[i].dont_care != current[j].dont_care || difference.count() != 1) continue;
        used[i] = used[j] = true;
        merged.push_back({current[i].value & ~difference, current[i].dont_care | difference});
      }
    for (std::size_t i = 0; i < current.size(); ++i)
      if (!used[i]) primes.push_back(current[i]);
    std::ranges::sort(merged);
    const auto repeated = std::ranges::unique(merged);
    merged.erase(repeated.begin(), repeated.end());
    current = std::move(merged);
  }
  // Greedy cover: the largest implicants first.
  std::ranges::sort(primes, [](const Implicant& a, const Implicant& b) {
    return a.dont_care.count() != b.dont_care.count() ? a.dont_care.count() > b.dont_care.count()
                                                      : a < b;
  });
  std::vector<Cube> left = cubes;
  std::vector<Term> parts;
  for (const Implicant& p : primes) {
    const std::size_t before = left.size();
    std::erase_if(left, [&](const Cube& c) { return (c & ~p.dont_care) == p.value; });
    if (left.size() == before) continue;
    std::vector<Term> conjuncts;
    for (std::size_t i = 0; i < predicates.size(); ++i)
      if (!p.dont_care.holds(i))
        conjuncts.push_back(p.value.holds(i) ? predicates[i] : arena.negate(predicates[i]));
    parts.push_back(arena.conj(std::move(conjuncts)));
  }
  return arena.disj(std::move(parts));
}

} // namespace tacit
