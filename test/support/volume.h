// How much a random test does: TACIT_FULL=1 asks for all of it.
#pragma once

#include <cstdlib>
#include <string_view>

namespace tacit {

inline bool full_volume() {
  const char* wanted = std::getenv("TACIT_FULL");
  return wanted != nullptr && std::string_view(wanted) == "1";
}

} // namespace tacit
