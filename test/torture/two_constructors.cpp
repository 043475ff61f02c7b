// Overloaded constructors start in different states.
// harness: T(int): 3
#include <cassert>
class T {
  bool open;

public:
  T() : open(false) {}
  T(int) : open(true) {}
  void openIt() {
    assert(!open);
    open = true;
  }
  void close() {
    assert(open);
    open = false;
  }
};
