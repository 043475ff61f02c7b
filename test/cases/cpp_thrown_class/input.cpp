#include <cassert>
struct Fault {
  int code = 1;
  Fault() = default;
  Fault(const Fault& other) : code(other.code + 1) {}
};
class Gate {
  int state_ = 0;

public:
  void fail() {
    try {
      throw Fault();
    } catch (Fault fault) {
      state_ = fault.code;
    }
  }
  void fail_with_nothing() {
    try {
      throw nullptr;
    } catch (int*) {
      state_ = -1;
    } catch (...) {
      state_ = -2;
    }
  }
  void check() { assert(state_ != -1); }
};
