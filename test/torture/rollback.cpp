// tacit: --error assert
// Destructors during unwinding roll back.
#include <cassert>
#include <stdexcept>
struct Rollback {
  int& x;
  int old;
  bool armed = true;
  ~Rollback() {
    if (armed) x = old;
  }
};
class T {
  int v_ = 0;

public:
  bool step(int a) {
    try {
      Rollback r{v_, v_};
      v_ = 5;
      if (a > 1) throw std::runtime_error("x");
      if (a == 1) throw 3;
      r.armed = false;
    } catch (const std::runtime_error&) {
      return false;
    }
    return true;
  }
  void need() { assert(v_ == 5); }
  void zero() { assert(v_ == 0); }
};
