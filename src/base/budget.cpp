#include "base/budget.h"

#include <algorithm>
#include <fstream>

#include <unistd.h>

#include <fmt/format.h>

#include "base/interrupt.h"

namespace tacit {

namespace {

constexpr std::uint64_t polls_per_clock = 1024;
constexpr std::uint64_t queries_per_memory = 64;

} // namespace

std::uint64_t resident_memory() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t total_pages = 0;
  std::uint64_t resident_pages = 0;
  if (!(statm >> total_pages >> resident_pages)) return 0;
  return resident_pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

Budget::Budget(BudgetLimits limits, double seconds_before)
    : limits_(limits), start_(std::chrono::steady_clock::now() -
                              std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                  std::chrono::duration<double>(seconds_before))) {}

bool Budget::stopped() const {
  return cancelled_.load(std::memory_order_relaxed) || interrupted_since(start_) ||
         cause_.load(std::memory_order_relaxed) != Cause::None;
}

// The first cause stays, so that reason() does not change under its reader.
void Budget::hit(Cause cause) {
  Cause none = Cause::None;
  cause_.compare_exchange_strong(none, cause, std::memory_order_relaxed);
}

void Budget::check_clock() {
  if (limits_.seconds && seconds_spent() >= *limits_.seconds) hit(Cause::Time);
}

void Budget::check_memory() {
  if (limits_.memory_bytes && resident_memory() > *limits_.memory_bytes) hit(Cause::Memory);
}

bool Budget::exhausted() {
  if (stopped()) return true;
  const std::uint64_t poll = polls_.fetch_add(1, std::memory_order_relaxed);
  if (poll % polls_per_clock != 0) return false;
  check_clock();
  check_memory();
  return stopped();
}

bool Budget::exhausted_now() {
  if (stopped()) return true;
  check_clock();
  check_memory();
  return stopped();
}

std::string Budget::reason() const {
  switch (cause_.load(std::memory_order_relaxed)) {
  case Cause::Time: return fmt::format("time limit of {} s", *limits_.seconds);
  case Cause::Memory:
    return fmt::format("memory limit of {} MB", *limits_.memory_bytes / (1024 * 1024));
  case Cause::Queries: return fmt::format("limit of {} solver queries", *limits_.queries);
  case Cause::Steps: return fmt::format("limit of {} steps", *limits_.steps);
  case Cause::None: break;
  }
  if (interrupted_since(start_)) return "interrupted";
  return cancelled_.load(std::memory_order_relaxed) ? "cancelled" : "";
}

void Budget::count_query() {
  const std::uint64_t count = queries_.fetch_add(1, std::memory_order_relaxed) + 1;
  if (limits_.queries && count >= *limits_.queries) hit(Cause::Queries);
  check_clock();
  if (count % queries_per_memory == 0) check_memory();
}

void Budget::count_steps(std::uint64_t number) {
  const std::uint64_t count = steps_.fetch_add(number, std::memory_order_relaxed) + number;
  if (limits_.steps && count >= *limits_.steps) hit(Cause::Steps);
}

double Budget::seconds_spent() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

BudgetLimits Budget::share(double part, std::optional<double> most) const {
  BudgetLimits made{.seconds = seconds_left(), .memory_bytes = limits_.memory_bytes};
  if (made.seconds) *made.seconds *= part;
  if (stopped()) made.seconds = 0; // also where it was not the time
  if (most) made.seconds = std::min(made.seconds.value_or(*most), *most);
  if (limits_.queries) made.queries = *limits_.queries - std::min(*limits_.queries, queries());
  return made;
}

std::optional<double> Budget::seconds_left() const {
  if (!limits_.seconds) return std::nullopt;
  return std::max(0.0, *limits_.seconds - seconds_spent());
}

} // namespace tacit
