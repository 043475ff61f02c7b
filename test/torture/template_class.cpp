// tacit: --class Box<int>
#include <cassert>
template <class X> class Box {
  X value{};
  bool full = false;

public:
  void put(X x) {
    assert(!full);
    value = x;
    full = true;
  }
  X get() {
    assert(full);
    full = false;
    return value;
  }
};
