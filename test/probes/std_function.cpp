// A function object is kept and called.
// note: function
#include <cassert>
#include <functional>
class T {
  std::function<void()> f;
  int x = 0;

public:
  void bind() {
    f = [this] { x = 1; };
  }
  void poke() {
    if (f) f();
  }
  void use() { assert(x == 0); }
};
