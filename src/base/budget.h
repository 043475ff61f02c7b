// How much a run may spend: time, memory, solver queries, steps.
//
// Long loops poll `if (budget.exhausted()) return <best bounds so far>;`. Running
// out is no error: the caller reports reason() and keeps what it has.
//
//            limits hit or cancel()
//   within ──────────────────────────> exhausted      (there is no way back)
//
// Threads: cancel() may be called from any thread and from a signal handler;
// several workers may poll and count at the same time. Set the limits before
// workers start. A Budget outlives all that refer to it and is not copied.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace tacit {

/// What a Budget allows; whatever has no value is unlimited.
struct BudgetLimits {
  std::optional<double> seconds;
  std::optional<std::uint64_t> memory_bytes; ///< resident memory of the whole process
  std::optional<std::uint64_t> queries;
  std::optional<std::uint64_t> steps;
};

class Budget {
public:
  /// Unlimited; only cancel() ends it.
  Budget() : Budget(BudgetLimits{}) {}

  /// The clock starts here, or started so long ago.
  explicit Budget(BudgetLimits limits, double seconds_before = 0);

  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  /// Cheap: a counter and two atomic loads. Clock and memory are read at the first and
  /// every 1024th poll.
  bool exhausted();

  /// Reads clock and memory now. For places that are reached seldom, such as
  /// between two solver queries that take long.
  bool exhausted_now();

  /// Which limit was hit, as in "time limit of 10 s"; empty while there is budget left.
  std::string reason() const;

  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }

  /// A query is slow next to a poll, so this reads the clock, and the memory every 64th time.
  void count_query();
  /// What a part with a budget of its own has asked.
  void count_queries(std::uint64_t number) { queries_.fetch_add(number); }
  std::uint64_t queries() const { return queries_.load(std::memory_order_relaxed); }

  void count_steps(std::uint64_t number = 1);
  std::uint64_t steps() const { return steps_.load(std::memory_order_relaxed); }

  double seconds_spent() const;

  /// No value without a time limit; never negative.
  std::optional<double> seconds_left() const;

  const BudgetLimits& limits() const { return limits_; }

  /// For a budget within this one: a part of the time that is left, at most `most` seconds, and the
  /// queries that are left. Whoever uses it counts its queries here.
  BudgetLimits share(double part, std::optional<double> most = {}) const;

private:
  enum class Cause : int { None, Time, Memory, Queries, Steps };

  void hit(Cause cause);
  bool stopped() const;
  void check_clock();
  void check_memory();

  BudgetLimits limits_;
  std::chrono::steady_clock::time_point start_;
  std::atomic<bool> cancelled_ = false;
  std::atomic<Cause> cause_ = Cause::None;
  std::atomic<std::uint64_t> polls_ = 0;
  std::atomic<std::uint64_t> queries_ = 0;
  std::atomic<std::uint64_t> steps_ = 0;
};

/// Resident memory of this process in bytes; 0 where the system does not tell.
std::uint64_t resident_memory();

} // namespace tacit
