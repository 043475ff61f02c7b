// A reference to a member is handed out and kept by a member.
// refuse: use
#include <cassert>
class T {
  int x = 0;
  int* p = nullptr;

public:
  void bind() { p = &x; }
  void poke() {
    if (p) *p = 1;
  }
  void use() { assert(x == 0); }
};
