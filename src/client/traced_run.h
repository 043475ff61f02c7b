// A concrete run of a refused call, place by place.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "component/component.h"
#include "interface/interface.h"

namespace tacit {

struct TracedRun {
  std::vector<Location> places; // in order, without repetitions next to each other
  Location end;                 // where it erred
  /// The first thing that decided the way and is not known, and whose it is: a value that nobody
  /// chooses, or what somebody else left in an object that a call of the component looked at. What
  /// rests on it is not certain.
  std::optional<Location> unknown;
  std::string unknown_from;
  bool hidden = false; // it is a value that nobody chooses, and nothing else is unknown
  /// States that objects were put into, where they are kept beside them: with the place, by index.
  std::vector<std::pair<std::size_t, State>> states;
};

/// Nothing when the run does not err in its last step.
std::optional<TracedRun> trace_refusal(const Component& component, const Interface& interface,
                                       const Refusal& refusal);

} // namespace tacit
