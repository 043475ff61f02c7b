// How much a random test does: TACIT_FULL=1 asks for all of it; TACIT_SEEDS=FIRST:COUNT for these
// seeds, which is how `./dev fuzz engines` comes to components that no test has tried.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace tacit {

inline bool full_volume() {
  const char* wanted = std::getenv("TACIT_FULL");
  return wanted != nullptr && std::string_view(wanted) == "1";
}

/// From `first` up to `end`.
struct Seeds {
  std::uint64_t first = 0, end = 0;
  std::uint64_t count() const { return end - first; }
};

inline Seeds random_seeds(std::uint64_t full, std::uint64_t sample) {
  const char* wanted = std::getenv("TACIT_SEEDS");
  if (wanted == nullptr) return {0, full_volume() ? full : sample};
  char* rest = nullptr;
  const std::uint64_t first = std::strtoull(wanted, &rest, 10);
  return {first, first + (*rest == ':' ? std::strtoull(rest + 1, nullptr, 10) : sample)};
}

} // namespace tacit
