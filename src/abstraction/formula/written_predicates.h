// Predicates over a component's state as people write them.
#pragma once

#include <string>
#include <vector>

#include "component/component.h"

namespace tacit {

struct WrittenPredicates {
  std::vector<Term> predicates;
  std::vector<std::string> texts;      // of each
  std::vector<std::string> irrelevant; // about variables that were sliced away

  /// Whether there was nothing to read.
  bool none() const { return predicates.empty() && irrelevant.empty(); }
};

/// In the vocabulary of `source`, the module that the component was built from; of the component
/// itself where that is null. Ill-typed predicates and unknown names are errors, with the text.
Result<WrittenPredicates> parse_predicates(const Component& component, const Module* source,
                                           const std::vector<std::string>& texts);

/// Those of the texts that make sense for the component: predicates of one like it.
std::vector<Term> usable_predicates(const Component& component,
                                    const std::vector<std::string>& texts);

} // namespace tacit
