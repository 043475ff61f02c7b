#include "automata/restrict.h"

#include <algorithm>

#include "base/should.h"

namespace tacit {

Renumbered restrict_to(const Dfa& dfa, const std::vector<bool>& keep) {
  should(keep.size() == dfa.states(), "the choice of states should cover each state");
  Renumbered result{Dfa(dfa.letters()), std::vector<State>(dfa.states(), no_state)};
  result.dfa.reserve(static_cast<std::size_t>(std::count(keep.begin(), keep.end(), true)));
  for (State q = 0; q < dfa.states(); ++q)
    if (keep[q]) result.new_id[q] = result.dfa.add_state(dfa.colour(q));

  for (State q = 0; q < dfa.states(); ++q) {
    if (!keep[q]) continue;
    for (Letter a = 0; a < dfa.letters(); ++a)
      if (State to = dfa.next(q, a); to != no_state)
        result.dfa.set_next(result.new_id[q], a, result.new_id[to]);
  }
  for (State q : dfa.entries()) result.dfa.add_entry(q == no_state ? no_state : result.new_id[q]);
  return result;
}

} // namespace tacit
