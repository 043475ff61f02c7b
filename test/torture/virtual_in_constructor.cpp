// Virtual calls in constructors, and a sliced copy.
#include <cassert>
struct Base {
  int k;
  Base() : k(0) { init(); }
  virtual void init() { k = 1; }
  virtual ~Base() {}
  virtual int id() { return 1; }
};
struct Derived : Base {
  int j;
  Derived() : j(5) { init(); }
  void init() override { k = 2; }
  int id() override { return 2; }
};
class T {
  Derived d;
  int v = 0;

public:
  void reset() {
    Derived x;
    v = x.k;
  }
  void base() {
    Base x;
    v = x.k;
  }
  void slice() {
    Base x = d;
    x.init();
    v = x.id() + x.k;
  }
  void one() { assert(v != 1); }
  void two() { assert(v != 2); }
  void start() { assert(d.k == 2); }
};
