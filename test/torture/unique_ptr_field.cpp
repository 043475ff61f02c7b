// The same through std::unique_ptr.
#include <cassert>
#include <memory>
class T {
  std::unique_ptr<int> p;

public:
  void make() {
    assert(!p);
    p = std::make_unique<int>(1);
  }
  void use() { assert(p != nullptr); }
  void drop() {
    assert(p);
    p.reset();
  }
};
