#include "synthesis/predicate/unreachable.h"

#include <deque>

#include "abstraction/formula/path.h"
#include "automata/shortest.h"
#include "synthesis/protocol/protocol.h"

namespace tacit {
namespace {

/// By another word than the shortest: breadth first over words that can happen.
bool reachable_otherwise(const ComponentFormulas& formulas, Solver& solver, const Dfa& dfa,
                         State wanted) {
  std::vector<bool> met(dfa.states(), false);
  std::deque<std::pair<State, Path>> work;
  auto offer = [&](State q, Path path) {
    if (met[q] || solver.check(path.conditions()) != Truth::Sat) return;
    met[q] = true;
    work.push_back({q, std::move(path)});
  };
  for (std::size_t k = 0; k < dfa.entries().size(); ++k)
    if (dfa.entries()[k] != no_state) offer(dfa.entries()[k], Path(formulas, k, Side::Below));
  while (!work.empty() && !met[wanted]) {
    const auto [q, path] = std::move(work.front());
    work.pop_front();
    for (Letter l = 0; l < dfa.letters(); ++l) {
      const State to = dfa.next(q, l);
      if (to == no_state || met[to]) continue;
      Path longer = path;
      longer.extend(l);
      offer(to, std::move(longer));
    }
  }
  return met[wanted];
}

} // namespace

std::vector<Trace> unreachable_states(const ComponentFormulas& formulas, Solver& solver,
                                      const Dfa& dfa) {
  std::vector<Trace> found;
  const ShortestWords shortest(dfa, alphabetical_letters(formulas.component()));
  for (State q = 0; q < dfa.states(); ++q) {
    const Word word = shortest.to(q);
    Trace trace{shortest.entry(q), std::vector<std::size_t>(word.begin(), word.end()),
                std::nullopt};
    Path path(formulas, trace.constructor, Side::Above);
    for (std::size_t l : trace.letters) path.extend(l);
    if (solver.check(path.conditions()) != Truth::Unsat ||
        reachable_otherwise(formulas, solver, dfa, q))
      continue;
    found.push_back(std::move(trace));
  }
  return found;
}

} // namespace tacit
