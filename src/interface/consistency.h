// Whether the parts of a result agree: what a state allows, its transitions and its refusals say
// the same thing three times. Everything here can be judged from the result alone.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "interface/interface.h"

namespace tacit {

struct Contradiction {
  std::string part;      // "states", "transitions", "forbidden", "constructors", "guards"…
  std::size_t index = 0; // into that part
  std::string message;
};

/// "states[3]: message".
std::string to_string(const Contradiction& contradiction);

/// A call both allowed and refused; an allowed call without transitions; transitions of a call that
/// is not allowed; a call neither allowed nor refused (unless "forbidden" was omitted); a
/// constructor both allowed and refused (it may be neither, when it never returns). A call with a
/// guard, and a constructor with conditions, may be allowed and have a refusal: that is what
/// happens otherwise. Two guards of one call, a guard of a call that is not allowed, a constructor
/// that does not set a tracked value. In an EPA refusals need no entry and an enabled call may have
/// no transition. Returns the first `limit`, by state.
std::vector<Contradiction> contradictions(const Interface& interface, std::size_t limit = 1000);

} // namespace tacit
