// Runs a piece of work in a process of its own, so that its time and memory can be measured and
// nothing it leaves behind disturbs the next measurement.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace tacit {

struct Measurement {
  std::string answer; // what the work returned
  double seconds = 0;
  double megabytes = 0; // peak resident memory
  bool failed = false;  // it died, or took longer than allowed
};

Measurement run_isolated(const std::function<std::string()>& work, double seconds_allowed);

} // namespace tacit
