// A protocol that somebody else made, as an automaton over the letters of a component.
#pragma once

#include "interface/intended.h"
#include "synthesis/protocol/protocol.h"

namespace tacit {

/// What of a component a protocol speaks of, by name.
struct SpokenOf {
  std::vector<std::string> unknown;    // that the component does not have
  std::vector<std::string> not_spoken; // calls that the protocol never names
};
SpokenOf spoken_of(const IntendedProtocol& given, const Component& component);

/// Deterministic (a word is in it if some path has it) and with the fewest states. A call is
/// allowed where some outcome of it leads on.
Protocol determinised(const IntendedProtocol& given, const Component& component);

} // namespace tacit
