// Labels as people read them: what all states have in common is said once.
#pragma once

#include <string>
#include <vector>

#include "interface/interface.h"

namespace tacit {

struct ShownLabels {
  std::string everywhere;          // "a && b"; empty when there is nothing to say
  std::vector<std::string> states; // what each state says beyond that

  /// All that is said of a state.
  std::string whole(State q) const;
};

/// A label for a line of that width: as it is, or with whole alternatives left out and counted.
std::string fitted_label(const std::string& label, std::size_t width);

/// In the words of the source, without what always holds (`this != null`). A conjunct that is in
/// every alternative of every label moves to `everywhere`. A state that says nothing else is
/// `true`. In long labels, what sets a state apart comes first.
ShownLabels shown_labels(const Interface& interface);

} // namespace tacit
