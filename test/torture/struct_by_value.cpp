// A struct by value, copied into the state.
#include <cassert>
class T {
  struct Pair {
    short a, b;
  };
  Pair p{0, 0};
  static Pair make(int x) { return {static_cast<short>(x), static_cast<short>(x + 1)}; }

public:
  void set(bool big) { p = make(big ? 5 : 1); }
  void swap() {
    Pair q = p;
    p.a = q.b;
    p.b = q.a;
  }
  void five() { assert(p.a == 5); }
  void six() { assert(p.a == 6); }
};
