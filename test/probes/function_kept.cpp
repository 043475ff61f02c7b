/* A lambda that writes a field runs in std::function. refuse: use */
#include <cassert>
#include <functional>
class T {
  int n = 0;
  std::function<void()> f;

public:
  void setup() {
    f = [this] { n = 1; };
  }
  void fire() {
    if (f) f();
  }
  void use() { assert(n == 0); }
};
