#include "support/same_calls.h"

#include <deque>
#include <set>

namespace tacit {

std::optional<std::string> same_calls(const BruteForce& expected, const Interface& found) {
  const Component& component = *expected.component;
  const bool safe = found.verdict.safe == Claim::Proved;
  const bool permissive = found.verdict.permissive == Claim::Proved;
  struct Pair {
    std::size_t belief;
    State state;
    std::string word;
  };
  std::deque<Pair> work;
  std::set<std::pair<std::size_t, State>> seen;
  for (std::size_t k = 0; k < expected.start.size(); ++k)
    for (const InitialState& i : found.initial)
      if (i.constructor == component.constructors()[k].name && expected.start[k] &&
          seen.insert({*expected.start[k], i.state}).second)
        work.push_back({*expected.start[k], i.state, i.constructor});
  while (!work.empty()) {
    const Pair at = work.front();
    work.pop_front();
    for (std::size_t c = 0; c < component.calls().size(); ++c) {
      const bool here = found.states[at.state].allows[c],
                 there = expected.beliefs[at.belief].allowed[c];
      const std::string word = at.word + " " + component.calls()[c].name;
      if (safe && here && !there) return word + ": allowed, but it may err";
      if (permissive && !here && there) return word + ": refused, but it cannot err";
      if (!here || !there) continue;
      for (const auto& [outcome, next] : expected.beliefs[at.belief].next[c]) {
        const std::string& name = component.calls()[c].outcomes[outcome];
        State to = no_state;
        for (const InterfaceTransition& t : found.transitions)
          if (t.from == at.state && t.call == c &&
              (found.calls[c].outcomes[t.outcome] == "any" ||
               found.calls[c].outcomes[t.outcome] == name))
            to = t.to;
        if (to == no_state) return word + ": no transition for " + name;
        if (seen.insert({next, to}).second) work.push_back({next, to, word + ":" + name});
      }
    }
  }
  return std::nullopt;
}

} // namespace tacit
