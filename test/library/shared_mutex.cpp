// Locks do not matter to the protocol of a class that holds them.
// legal: start:returns use
// refused: start:returns stop:returns use
#include <cassert>
#include <mutex>
#include <shared_mutex>
class T {
  mutable std::shared_mutex guard;
  std::recursive_mutex inner;
  std::timed_mutex timed;
  bool open = false;

public:
  void start() {
    std::unique_lock lock(guard);
    const std::lock_guard<std::recursive_mutex> second(inner);
    open = true;
  }
  void stop() {
    const std::scoped_lock lock(guard, timed);
    open = false;
  }
  void use() const {
    std::shared_lock lock(guard);
    assert(open);
  }
};
