// An initialiser of a static local runs once.
#include <cassert>
static int calls;
static int first() {
  calls++;
  return 4;
}
class T {
public:
  int once() {
    static int v = first();
    return v;
  }
  void check() { assert(calls < 2); }
  void zero() { assert(calls == 0); }
};
