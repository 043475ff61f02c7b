#include "automata/dfa.h"

namespace tacit {

State Dfa::run(State from, const Word& word) const {
  for (Letter letter : word) {
    if (from == no_state) break;
    from = next(from, letter);
  }
  return from;
}

} // namespace tacit
