/* A private method that is defined elsewhere writes private fields. refuse: use */
#include <cassert>
class T {
  int pad = 0, n = 0;
  void helper();

public:
  void f() { helper(); }
  void use() { assert(n == 0); }
};
