// An atomic counter that is changed in a loop.
#include <atomic>
#include <cassert>
class T {
  std::atomic<int> permits_{2};

public:
  bool try_acquire() {
    int p = permits_.load();
    while (p > 0)
      if (permits_.compare_exchange_weak(p, p - 1)) return true;
    return false;
  }
  void release() {
    assert(permits_ < 2);
    permits_.fetch_add(1, std::memory_order_release);
  }
};
