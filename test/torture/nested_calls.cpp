// Calls of the component call each other.
#include <cassert>
class T {
  bool open = false;
  int n = 0;

public:
  void start() {
    assert(!open);
    open = true;
  }
  void stop() {
    assert(open);
    open = false;
  }
  void restart() {
    stop();
    start();
    if (n < 1) ++n;
  }
  bool restarted() const { return n > 0; }
};
