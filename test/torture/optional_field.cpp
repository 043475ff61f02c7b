// std::optional as state.
#include <optional>
#include <stdexcept>
class T {
  std::optional<int> v;

public:
  void set(int x) { v = x; }
  int get() const {
    if (!v) throw std::logic_error("none");
    return *v > 0 ? 1 : 0;
  }
  void reset() { v.reset(); }
  bool has() const { return v.has_value(); }
};
