// What is handed over to be moved from is not left as it was.
// legal: fill:returns
// refused: fill:returns give:returns use
// refused: use
#include <cassert>
#include <vector>
class T {
  bool full = false;

public:
  T() = default;
  T(T&& other) noexcept : full(other.full) { other.full = false; }
  void fill() { full = true; }
  void give() {
    std::vector<T> all;
    all.push_back(std::move(*this));
  }
  void use() { assert(full); }
};
