// State that all objects share.
// refuse: use
#include <cassert>
class T {
  static inline int x = 0;

public:
  void poke() { x = 1; }
  void use() { assert(x == 0); }
};
