#include "automata/prune.h"

#include "automata/predecessors.h"
#include "automata/restrict.h"

namespace tacit {

Pruned prune(const Dfa& dfa) {
  std::vector<bool> kept(dfa.states(), true);
  std::vector<std::uint32_t> ways_on(dfa.states(), 0); // transitions into kept states
  std::vector<State> worklist;

  for (State q = 0; q < dfa.states(); ++q) {
    for (State to : dfa.row(q))
      if (to != no_state) ++ways_on[q];
    if (ways_on[q] == 0) worklist.push_back(q);
  }

  const Predecessors predecessors(dfa);
  while (!worklist.empty()) {
    State dead = worklist.back();
    worklist.pop_back();
    kept[dead] = false;
    // A state is listed once per transition and so reaches zero exactly once. A
    // state with a loop keeps a way on, hence is never its own last predecessor.
    for (State q : predecessors.of(dead))
      if (--ways_on[q] == 0) worklist.push_back(q);
  }

  Renumbered rest = restrict_to(dfa, kept);
  return {std::move(rest.dfa), std::move(kept), std::move(rest.new_id)};
}

} // namespace tacit
