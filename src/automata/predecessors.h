// The transitions of an automaton read backwards, in compact form: 4 bytes per
// transition and 8 per state. For the worklist algorithms that go backwards.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "automata/dfa.h"

namespace tacit {

class Predecessors {
public:
  explicit Predecessors(const Dfa& dfa);

  /// The sources of all transitions into the state, in ascending order; a source
  /// is listed once for each letter on which it goes there.
  std::span<const State> of(State state) const {
    return {sources_.data() + first_[state], first_[state + 1] - first_[state]};
  }

private:
  std::vector<std::size_t> first_; // states + 1 offsets into sources_
  std::vector<State> sources_;
};

} // namespace tacit
