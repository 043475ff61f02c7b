// Ends queries that the clock should end: some queries spend seconds between two looks at their
// resource limit (large coefficients do that), and one such query would overrun the time of a run
// by any factor.
//
//   idle ──enter()──> watched ──leave()──> idle          past the deadline, a watched query is
//   interrupted
//
// Threads: one of its own, which only calls Z3_interrupt; enter() and leave() belong to the thread
// that owns the context. Interrupted queries end as unknown.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <z3++.h>

namespace tacit {

class Interrupter {
public:
  Interrupter(z3::context& context, std::chrono::steady_clock::time_point deadline);
  ~Interrupter();
  Interrupter(const Interrupter&) = delete;
  Interrupter& operator=(const Interrupter&) = delete;

  void enter();
  void leave();

  /// The time so many seconds from now.
  static std::chrono::steady_clock::time_point after(double seconds) {
    return std::chrono::steady_clock::now() +
           std::chrono::duration_cast<std::chrono::steady_clock::duration>(
               std::chrono::duration<double>(seconds));
  }

private:
  void watch();

  z3::context& context_;
  const std::chrono::steady_clock::time_point deadline_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable changed_;
  bool watched_ = false, done_ = false;
  std::thread thread_;
};

} // namespace tacit
