// Two oracles over one component, symbolic and explicit, asked the same questions; and witnesses
// replayed.
#pragma once

#include <optional>
#include <string>

#include "component/component.h"

namespace tacit {

struct AgreementTally {
  std::size_t components = 0, not_finite = 0;
  std::size_t states = 0, sets_compared = 0, sets_checked = 0, runs_replayed = 0, examples = 0,
              failures = 0;
};

std::string to_string(const AgreementTally& tally);

/// The first difference, in words.
std::optional<std::string> disagreement(const Component& component, AgreementTally& tally);

} // namespace tacit
