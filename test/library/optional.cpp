// A value that is there or not.
// legal: set get
// refused: set drop get
#include <cassert>
#include <optional>
class T {
  std::optional<int> value;

public:
  void set(int x) { value = x; }
  int get() {
    assert(value.has_value());
    return *value > 0;
  }
  void drop() { value.reset(); }
};
