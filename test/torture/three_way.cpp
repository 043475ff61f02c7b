// flags: -std=c++20
// tacit:
// User-defined literals, spaceship, concepts.
#include <cassert>
#include <compare>
#include <concepts>
struct Ver {
  int a, b;
  auto operator<=>(const Ver&) const = default;
};
constexpr Ver operator""_v(unsigned long long n) { return {int(n / 10), int(n % 10)}; }
template <std::integral I> constexpr I twice(I i) { return i * 2; }
class T {
  Ver v_ = 10_v;

public:
  void up() {
    assert(v_ < 12_v);
    v_.b++;
  }
  void down() {
    assert(v_ > 10_v);
    v_.b--;
  }
  void need() { assert(v_ == 11_v); }
  int q() { return twice(v_.b); }
};
