#include <algorithm>
#include <chrono>
#include <functional>
#include <stdexcept>
namespace net {
using Clock = std::chrono::steady_clock;

class TokenBucket {
public:
  TokenBucket(unsigned capacity, std::chrono::milliseconds interval)
      : capacity_(capacity), tokens_(capacity), interval_(interval) {
    if (capacity == 0) throw std::invalid_argument("capacity must be positive");
    if (interval.count() <= 0) throw std::invalid_argument("interval must be positive");
  }
  void start(Clock::time_point now) {
    if (running_) throw std::logic_error("already running");
    running_ = true;
    last_ = now;
  }
  void stop() {
    ensure_running();
    running_ = false;
  }
  bool try_take(unsigned n, Clock::time_point now) {
    ensure_running();
    if (n == 0 || n > capacity_) throw std::invalid_argument("bad token count");
    advance(now);
    if (tokens_ < n) return false;
    tokens_ -= n;
    return true;
  }
  void give_back(unsigned n) {
    ensure_running();
    if (tokens_ + n > capacity_) throw std::logic_error("more tokens than taken");
    tokens_ += n;
  }
  unsigned available() const { return tokens_; }

private:
  void ensure_running() const {
    if (!running_) throw std::logic_error("not running");
  }
  void advance(Clock::time_point now) {
    if (now < last_) throw std::logic_error("time went backwards");
    if (now - last_ >= interval_) {
      tokens_ = capacity_;
      last_ = now;
    }
  }
  unsigned capacity_;
  unsigned tokens_;
  std::chrono::milliseconds interval_;
  Clock::time_point last_{};
  bool running_ = false;
};
} // namespace net
