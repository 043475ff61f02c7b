// A thread that is waited for, or let go.
// tacit: --error throws:std::system_error
// legal: start:returns wait start:returns drop
// legal: running:returns=false start:returns running:returns=true
// refused: wait
// refused: start:returns wait drop
// refused: start:returns drop wait
#include <thread>
class T {
  std::thread t_;

public:
  void start() {
    if (!t_.joinable()) t_ = std::thread([] {});
  }
  void wait() { t_.join(); }
  void drop() { t_.detach(); }
  bool running() const { return t_.joinable(); }
  ~T() {
    if (t_.joinable()) t_.join();
  }
};
