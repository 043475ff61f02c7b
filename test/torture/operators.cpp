// Overloaded operators as calls of a call.
#include <cassert>
class T {
  int n = 0;
  T& operator+=(int x) {
    n += x;
    return *this;
  }
  explicit operator bool() const { return n > 0; }

public:
  void add() {
    if (n < 2) *this += 1;
  }
  void sub() {
    assert(static_cast<bool>(*this));
    *this += -1;
  }
};
