// Arrays that are zeroed where they are declared.
#include <cassert>
class T {
  int a[4]{};
  bool b[3] = {};
  struct R {
    int x;
    short y;
  } rows[2]{};
  int i = 0;

public:
  void set() { a[i] = 1; }
  void next() {
    if (i < 3) i++;
  }
  void r() { rows[i & 1].x = 2; }
  void chk() { assert(a[0] == 0); }
  void chk1() { assert(a[1] == 0); }
  void chk2() { assert(rows[1].x == 0); }
};
