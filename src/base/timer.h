// A stop-watch that runs from its construction.
#pragma once

#include <chrono>

namespace tacit {

class Timer {
public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

} // namespace tacit
