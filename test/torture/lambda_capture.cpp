// A lambda that captures this.
#include <cassert>
class T {
  int n = 0;

public:
  void up() {
    auto step = [this](int by) { n += by; };
    if (n < 2) step(1);
  }
  void down() {
    auto test = [&] { return n > 0; };
    assert(test());
    --n;
  }
};
