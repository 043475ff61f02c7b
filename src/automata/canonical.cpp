#include "automata/canonical.h"

#include <numeric>

#include "base/should.h"

namespace tacit {

Renumbered canonical(const Dfa& dfa, std::span<const Letter> order) {
  std::vector<bool> named(dfa.letters(), false);
  for (Letter a : order) {
    should(a < dfa.letters() && !named[a], "the order should name each letter at most once");
    named[a] = true;
  }
  should(order.size() == dfa.letters(), "the order should name each letter");

  Renumbered result{Dfa(dfa.letters()), std::vector<State>(dfa.states(), no_state)};
  std::vector<State> queue; // new state -> old state
  auto number = [&](State old) {
    if (old == no_state) return no_state;
    if (result.new_id[old] == no_state) {
      result.new_id[old] = result.dfa.add_state(dfa.colour(old));
      queue.push_back(old);
    }
    return result.new_id[old];
  };

  for (State q : dfa.entries()) result.dfa.add_entry(number(q));
  for (std::size_t head = 0; head < queue.size(); ++head)
    for (Letter a : order)
      // number() first: it may add a state, and set_next wants it to be there.
      if (State to = number(dfa.next(queue[head], a)); to != no_state)
        result.dfa.set_next(static_cast<State>(head), a, to);
  return result;
}

Renumbered canonical(const Dfa& dfa) {
  std::vector<Letter> order(dfa.letters());
  std::iota(order.begin(), order.end(), Letter{0});
  return canonical(dfa, order);
}

} // namespace tacit
