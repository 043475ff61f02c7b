/* A const smart pointer leads to an object that is not const. refuse: use */
#include <cassert>
#include <memory>
struct Impl {
  int s = 0;
};
class T {
  std::unique_ptr<Impl> p = std::make_unique<Impl>();
  static void change(const std::unique_ptr<Impl>& q);

public:
  void load() { change(p); }
  void use() { assert(p->s == 0); }
};
