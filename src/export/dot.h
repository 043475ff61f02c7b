// A drawing of a result for Graphviz: one node per state with its label, parallel transitions
// merged into one edge with a line per letter, a small dot with the constructor's name before each
// start state.
#pragma once

#include <cstddef>
#include <string>

#include "interface/interface.h"

namespace tacit {

struct DotOptions {
  std::size_t max_label = 40;   // columns of a state's label; 0: no labels
  std::size_t max_letters = 12; // lines of an edge; the rest is counted
};

std::string show_dot(const Interface& interface, const DotOptions& options = {});

} // namespace tacit
