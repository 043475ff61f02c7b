// Tasks in child processes: one that crashes, hangs or eats all memory is an answer like another.
//
// Children are forked, not started anew: what the parent has read (the classes of a jar, the JDK's
// image) is there already. The parent must have no other threads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace tacit {

struct WorkerLimits {
  std::size_t jobs = 1;
  double seconds = 0;             // then a child is killed; 0: never
  std::uint64_t memory_bytes = 0; // of address space; 0: no limit
};

/// How a child ended.
struct WorkerEnd {
  std::size_t task = 0;
  int status = 0;            // of exit, when it did
  std::optional<int> signal; // that ended it
  bool killed_for_time = false;
  double seconds = 0;
};

struct WorkerHooks {
  std::function<int(std::size_t task)> work;   // in the child; returns its exit status
  std::function<void(const WorkerEnd&)> ended; // in the parent
  std::function<void(const std::vector<std::size_t>& running)> tick; // in the parent, now and then
  std::function<bool()> stop; // in the parent: start no more, end the rest
};

/// Runs tasks 0 to count − 1. False when it was stopped. Fails when no process can be made.
Result<bool> run_workers(std::size_t count, const WorkerLimits& limits, const WorkerHooks& hooks);

} // namespace tacit
