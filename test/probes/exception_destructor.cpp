// The destructor of an exception changes the state.
// refuse: low
#include <cassert>
static int count;
struct Err {
  int k;
  explicit Err(int n) : k(n) {}
  ~Err() { count = 1; }
};
class T {
public:
  void go() {
    try {
      throw Err(1);
    } catch (const Err&) {
    }
  }
  void low() { assert(count == 0); }
};
