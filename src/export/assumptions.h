// The assumptions of a result for people: those that say the same of several callees or places are
// one line, and what is about the user's own code comes before what is about libraries.
#pragma once

#include <string>
#include <vector>

#include "interface/interface.h"

namespace tacit {

struct AssumptionGroup {
  std::string text;                 // "library callees behave as their contracts say (41)"
  std::vector<std::string> members; // the assumptions, as the result has them
};

std::vector<AssumptionGroup> assumption_groups(const Interface& interface);

} // namespace tacit
