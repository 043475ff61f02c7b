#include "logic/z3/interrupter.h"

#include "base/interrupt.h"

namespace tacit {

namespace {
using Clock = std::chrono::steady_clock;
// Z3 may clear an interrupt that comes before a query has begun, so it is repeated.
constexpr std::chrono::milliseconds pause{50};
} // namespace

Interrupter::Interrupter(z3::context& context, std::chrono::steady_clock::time_point deadline)
    : context_(context), deadline_(deadline), thread_([this] { watch(); }) {}

Interrupter::~Interrupter() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Interrupter::enter() {
  const std::lock_guard lock(mutex_);
  watched_ = true;
}

void Interrupter::leave() {
  const std::lock_guard lock(mutex_);
  watched_ = false;
}

void Interrupter::watch() {
  std::unique_lock lock(mutex_);
  while (!done_) {
    const bool due = Clock::now() >= deadline_ || interrupted_since(begun_);
    if (watched_ && due) context_.interrupt();
    changed_.wait_for(lock, pause, [this] { return done_; });
  }
}

} // namespace tacit
