// A result as a graph in LearnLib's dialect of DOT: one edge per letter, states that accept as
// double circles, an invisible node before each start state (automata/text.h). Graphviz draws it,
// learners read it, and so does Tacit.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "interface/interface.h"

namespace tacit {

struct DotOptions {
  std::size_t max_label = 30; // columns of a line of a label; 0: no labels
};

std::string show_dot(const Interface& interface, const DotOptions& options = {});

/// An interface from such a graph. A call is allowed in a state where all its letters lead to
/// states that accept, and one does; labels, reasons and claims are not in the graph, nor are calls
/// that never return.
Result<Interface> read_dot_result(std::string_view text, const std::string& file);

} // namespace tacit
