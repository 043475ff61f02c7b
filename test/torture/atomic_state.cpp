// An atomic flag and counter.
#include <atomic>
#include <cassert>
class T {
  std::atomic<bool> on{false};
  std::atomic<int> n{0};

public:
  void start() { assert(!on.exchange(true)); }
  void tick() {
    assert(on.load());
    n.fetch_add(1);
    if (n.load() > 2) n.store(0);
  }
  void stop() {
    assert(on);
    on = false;
  }
};
