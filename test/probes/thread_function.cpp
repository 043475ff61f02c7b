// The function of a thread runs when nobody here calls it. refuse: need
// tacit: --time 4
#include <cassert>
#include <thread>
class T {
  int n = 0;

public:
  void start() {
    std::thread runner([this] { n = 1; });
    runner.join();
  }
  void need() { assert(n == 0); }
};
