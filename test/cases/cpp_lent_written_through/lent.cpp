// A client may hand in what it was given: a write through its pointer is one to the field.
#include <algorithm>
#include <cassert>
#include <cstring>

class Direct {
  int x = 0, z = 0;

public:
  int& ref() { return x; }
  void arm() { z = 1; }
  void f(int& y) {
    assert(z == 1);
    x = 1;
    y = 2;
    assert(x == 1);
  }
};

class Helped {
  int x = 0, z = 0;
  static void put(int* p, int v) { *p = v; }

public:
  int* ref() { return &x; }
  void arm() { z = 1; }
  void f(int* y, bool b) {
    assert(z == 1);
    x = 1;
    if (b)
      put(y, 2);
    else
      *y += 1;
    assert(x == 1);
  }
};

class Filled {
  int x = 0, z = 0;

public:
  int* ref() { return &x; }
  void arm() { z = 1; }
  void f(int* y) {
    assert(z == 1);
    x = 1;
    memset(y, 0, sizeof *y);
    assert(x == 1);
  }
};

class Handed {
  int x = 0, z = 0;

public:
  int* ref() { return &x; }
  void arm() { z = 1; }
  void f(int* y, int n) {
    assert(z == 1);
    x = 1;
    std::fill(y, y + n, 3);
    assert(x == 1);
  }
};

class Byte {
  bool x = false;
  int z = 0;

public:
  bool& ref() { return x; }
  void arm() { z = 1; }
  void f(bool& y) {
    assert(z == 1);
    x = true;
    y = false;
    assert(x);
  }
};
