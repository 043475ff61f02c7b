/* The address of the object is that of its first field. refuse: use */
#include <cassert>
void read_into(int*);
class T {
  int state = 0;
  int other = 0;

public:
  void load() { read_into(&state); }
  void use() { assert(state == 0); }
};
