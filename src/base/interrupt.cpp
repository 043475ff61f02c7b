#include "base/interrupt.h"

#include <atomic>
#include <csignal>

namespace tacit {

namespace {

using Clock = std::chrono::steady_clock;

std::atomic<Clock::rep> last_interrupt = Clock::time_point::min().time_since_epoch().count();
static_assert(std::atomic<Clock::rep>::is_always_lock_free, "it is written in a signal handler");

extern "C" void on_signal(int number) {
  interrupt_budgets();
  std::signal(number, SIG_DFL);
}

} // namespace

void interrupt_budgets() noexcept { last_interrupt = Clock::now().time_since_epoch().count(); }

bool interrupted_since(Clock::time_point start) noexcept {
  return last_interrupt.load(std::memory_order_relaxed) >= start.time_since_epoch().count();
}

void interrupt_on_signals() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

} // namespace tacit
