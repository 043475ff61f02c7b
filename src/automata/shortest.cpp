#include "automata/shortest.h"

#include <algorithm>
#include <numeric>

#include "base/should.h"

namespace tacit {

namespace {

std::vector<Letter> ascending(std::size_t letters) {
  std::vector<Letter> order(letters);
  std::iota(order.begin(), order.end(), Letter{0});
  return order;
}

} // namespace

ShortestWords::ShortestWords(const Dfa& dfa) : ShortestWords(dfa, ascending(dfa.letters())) {}

ShortestWords::ShortestWords(const Dfa& dfa, std::span<const Letter> order) : nodes_(dfa.states()) {
  should(order.size() == dfa.letters(), "the order should name each letter once");
  std::vector<State> queue;
  queue.reserve(dfa.states());
  for (std::size_t i = 0; i < dfa.entries().size(); ++i) {
    State q = dfa.entries()[i];
    if (q == no_state || reachable(q)) continue;
    nodes_[q].entry = static_cast<std::uint32_t>(i);
    queue.push_back(q);
  }
  for (std::size_t head = 0; head < queue.size(); ++head) {
    State q = queue[head];
    for (Letter a : order) {
      State to = dfa.next(q, a);
      if (to == no_state || reachable(to)) continue;
      nodes_[to] = {q, a, nodes_[q].length + 1, nodes_[q].entry};
      queue.push_back(to);
    }
  }
}

Word ShortestWords::to(State state) const {
  should(reachable(state), "a shortest word should only be asked for a reachable state");
  Word word;
  word.reserve(length(state));
  for (; nodes_[state].parent != no_state; state = nodes_[state].parent)
    word.push_back(nodes_[state].letter);
  std::reverse(word.begin(), word.end());
  return word;
}

} // namespace tacit
