// tacit: --error assert
// value() of an empty optional is the library's failure, an outcome.
#include <cassert>
#include <optional>
class T {
  std::optional<int> v;
  bool used = false;

public:
  void set(int x) {
    v = x;
    used = false;
  }
  int get() {
    int r = v.value();
    used = true;
    return r > 0 ? 1 : 0;
  }
  void again() { assert(used); }
};
