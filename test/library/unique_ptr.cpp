// Ownership that is given away.
// legal: make use
// refused: make give use
// refused: make reset use
#include <cassert>
#include <memory>
#include <utility>
class T {
  std::unique_ptr<int> p;

public:
  void make() { p = std::make_unique<int>(1); }
  void use() { assert(p); }
  void reset() { p.reset(); }
  void give() { std::unique_ptr<int> q = std::move(p); }
};
