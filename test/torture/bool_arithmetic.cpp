// Booleans in arithmetic and bitwise operators.
#include <cassert>
class T {
  bool a = false, b = false;
  int sum = 0;

public:
  void set_a(bool x) {
    a = x;
    update();
  }
  void set_b(bool x) {
    b ^= x;
    update();
  }
  void both() { assert(sum == 2); }
  void any() { assert(a | b); }

private:
  void update() { sum = a + b; }
};
