// A kept pointer leads to one field only, and may be null all the same.
#include <cassert>
class T {
  short n = 0;
  short* p = nullptr;

public:
  void point() { p = &n; }
  void drop() { p = nullptr; }
  void set() {
    if (p) *p = 3;
  }
  void need() { assert(p == nullptr); }
  void low() { assert(n < 3); }
};
