/* The address of a field is handed over inside a struct. refuse: use */
#include <cassert>
struct Args {
  int* where;
};
void opaque(Args*);
class T {
  int pad = 0;
  int state = 0;

public:
  void load() {
    Args a{&state};
    opaque(&a);
  }
  void use() { assert(state == 0); }
};
