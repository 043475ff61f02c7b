// A number is cast to an enumeration without a check.
// harness: set: 0 | 1 | 2 | 9
#include <cassert>
class T {
  enum Mode { A, B } mode = A;

public:
  void set(int m) { mode = static_cast<Mode>(m); }
  void known() { assert(mode == A || mode == B); }
};
