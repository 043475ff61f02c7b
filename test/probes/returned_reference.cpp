/* The client gets a reference to a private field. refuse: use */
#include <cassert>
class T {
  int pad = 0;
  int n = 0;

public:
  int& ref() { return n; }
  void use() { assert(n == 0); }
};
