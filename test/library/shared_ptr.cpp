// A shared object that is there or not.
// legal: make use test
// refused: make reset test
// refused: use
#include <cassert>
#include <memory>
class T {
  std::shared_ptr<int> p;

public:
  void make() { p = std::make_shared<int>(1); }
  void use() { assert(p != nullptr); }
  void test() { assert(p); }
  void reset() { p.reset(); }
};
