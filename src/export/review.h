// Surprises: what a reviewer of the component would stop at, read off its protocol. Each is a
// sentence; a component without a defect has few.
//
//   - a call that no state allows, a constructor that cannot succeed
//   - a call that starts over, or ends something, and leaves a variable as it was that another call
//     of that kind clears
//   - a call that fails and still changes the state
//   - a state that is left although it looks final
//   - an outcome that cannot happen, a call that is legal and changes nothing where it is
#pragma once

#include <string>
#include <vector>

#include "interface/interface.h"

namespace tacit {

/// All of them, those that are most likely a defect first.
std::vector<std::string> surprises(const Interface& interface);

/// Those of them that are hardly ever meant.
std::vector<std::string> likely_defects(const Interface& interface);

/// `tacit show --as review`.
std::string show_review(const Interface& interface, std::size_t width = 80);

} // namespace tacit
