// In which ways a function of the client can be entered, as far as the objects of the component
// that it is handed go: each in one of the interface's states, null, or the same as one before it.
#pragma once

#include <string>
#include <vector>

#include "client/events.h"

namespace tacit {

/// One list for each way, in the order of the objects. Empty when there are more than are looked
/// at: nothing is known of the objects then.
std::vector<std::vector<Entered>> ways_to_enter(const std::vector<bool>& may_be_null,
                                                std::size_t states);

/// `s in state 1 and t the same`.
std::string to_string(const std::vector<Entered>& entered, const std::vector<std::string>& names);

} // namespace tacit
