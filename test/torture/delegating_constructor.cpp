// Default arguments and delegation.
// harness: T: 0 | 1 | 2
#include <cassert>
class T {
  int n;
  bool ready;
  T(int x, bool r) : n(x), ready(r) {}

public:
  explicit T(int x) : T(x > 1 ? 1 : 0, x != 0) {}
  void use() { assert(ready); }
  void more() { assert(n == 1); }
  void fix() {
    ready = true;
    n = 1;
  }
};
