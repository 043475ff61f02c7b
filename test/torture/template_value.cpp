// tacit: --class Ring<2>
#include <cassert>
template <int N> class Ring {
  int n = 0;

public:
  void push() {
    assert(n < N);
    ++n;
  }
  void pop() {
    assert(n > 0);
    --n;
  }
};
