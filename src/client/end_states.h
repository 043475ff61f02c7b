// In which states objects of a component may end: what `--must-end` says.
#pragma once

#include <string>
#include <vector>

#include "interface/interface.h"

namespace tacit {

struct EndStates {
  std::vector<bool> may;           // per state; empty: objects may end in all
  std::vector<std::string> wanted; // per state, what is still wanted there: `close`, `state 0`
};

/// Each text is the number of a state in which objects may end, or a call: objects may not end in a
/// state that allows it and that it leads away from. Fails where it is neither.
Result<EndStates> read_end_states(const Interface& interface,
                                  const std::vector<std::string>& texts);

} // namespace tacit
