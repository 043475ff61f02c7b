// Loops over arrays by references and pointers.
#include <cassert>
class T {
  int a[3] = {};
  bool open = false;
  struct R {
    int x, y;
  } rows[2]{};
  int after = 0;

public:
  void start() {
    assert(!open);
    open = true;
    after = 1;
    for (auto& x : a) x = 0;
  }
  void fill() {
    assert(open);
    for (int& x : a) x = 1;
    for (auto& r : rows) r.y = 2;
  }
  void stop() {
    assert(open);
    open = false;
    for (int v : a)
      if (v > 5) after = 2;
  }
  void low() { assert(after < 2); }
  void first() { assert(a[0] == 0); }
  void row() { assert(rows[0].x == 0); }
  void rowy() { assert(rows[1].y == 0); }
};
