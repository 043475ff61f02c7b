// tacit: --error assert
// Function-try-blocks of a constructor and a method.
#include <cassert>
struct M {
  explicit M(int x) {
    if (x == 2) throw x;
  }
};
class T {
  M m_;
  int c_;

public:
  explicit T(int x) try : m_(x), c_(x) {
  } catch (int) {
    throw 1L;
  }
  void go(int x) try {
    if (x == 1) throw 5;
    assert(c_ != 0);
  } catch (int e) {
    c_ = e;
  }
  void zero() { c_ = 0; }
};
