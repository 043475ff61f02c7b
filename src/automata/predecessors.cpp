#include "automata/predecessors.h"

namespace tacit {

Predecessors::Predecessors(const Dfa& dfa) : first_(dfa.states() + 1, 0) {
  // Counting sort: first_[q] runs from the end of q's section down to its start.
  for (State q = 0; q < dfa.states(); ++q)
    for (State to : dfa.row(q))
      if (to != no_state) ++first_[to];
  std::size_t total = 0;
  for (std::size_t& offset : first_) offset = total += offset;
  sources_.resize(total);
  for (State q = static_cast<State>(dfa.states()); q-- > 0;)
    for (State to : dfa.row(q))
      if (to != no_state) sources_[--first_[to]] = q;
}

} // namespace tacit
