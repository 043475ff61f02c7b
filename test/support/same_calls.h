// An interface against brute force, by the calls that are allowed after words that can happen.
#pragma once

#include <optional>
#include <string>

#include "interface/interface.h"
#include "support/brute_force.h"

namespace tacit {

/// A word on which they differ although the interface claims otherwise. The interface may list
/// outcomes that cannot happen.
std::optional<std::string> same_calls(const BruteForce& expected, const Interface& found);

} // namespace tacit
