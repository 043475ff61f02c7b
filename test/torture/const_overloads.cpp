// Overloads by type and by const.
// harness: at(int): 0 | 1
// harness: at(bool): true
#include <cassert>
class T {
  int seen = 0;

public:
  void at(int i) { seen = i > 0 ? 1 : 0; }
  void at(bool) { seen = 2; }
  void one() { assert(seen == 1); }
  void two() const { assert(seen == 2); }
};
