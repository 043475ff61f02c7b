// Another object of the class may be this one.
// refuse: use
#include <cassert>
class T {
  int x = 0;

public:
  void poke(T& other) { other.x = 1; }
  void use() { assert(x == 0); }
};
