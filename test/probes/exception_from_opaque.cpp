// An opaque callee may throw between two writes.
// refuse: use
#include <cassert>
void work();
class T {
  bool busy = false;

public:
  void poke() {
    busy = true;
    work();
    busy = false;
  }
  void use() { assert(!busy); }
};
