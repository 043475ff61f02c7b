// References to members and to locals.
#include <cassert>
class T {
  int a = 0, b = 0;
  static void bump(int& x) { ++x; }

public:
  void one() {
    int& r = a;
    if (r < 1) bump(r);
  }
  void two() {
    assert(a == 1);
    int copy = a;
    int& r = copy;
    r = 5;
    b = copy;
  }
  void three() {
    assert(b == 5);
    b = 0;
  }
};
