/* A field of a virtual base. refuse: use */
#include <cassert>
struct B {
  int n = 0;
  void poke() { n = 1; }
  virtual ~B() = default;
};
struct L : virtual B {};
class T : public L {
public:
  void set() { n = 1; }
  void use() { assert(n == 0); }
};
