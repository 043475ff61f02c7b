// What an exception holds is nobody's choice; objects that were made go again.
#include <cassert>
class T {
  int n = 0;
  struct Part {
    int& r;
    Part(int& x) : r(x) { r++; }
    ~Part() { r = 2; }
  };
  struct Whole {
    Part a;
    Part b;
    Whole(int& x, bool f) : a(x), b(x) {
      if (f) throw 3;
    }
    ~Whole() { a.r = 0; }
  };

public:
  void make(bool f) {
    try {
      Whole w(n, f);
    } catch (int k) {
      if (k != 3) n = 3;
    }
  }
  void two() {
    Part p[2] = {n, n};
    if (n > 5) return;
    n = 1;
  }
  void a() { assert(n != 2); }
  void b() { assert(n != 3); }
};
