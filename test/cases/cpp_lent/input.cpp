#include <cassert>
struct View {
  int* level;
};
class Tank {
  int id_ = 7, level_ = 0, spare_ = 0;

public:
  void where(int** out) { *out = &level_; }
  View view() { return {&level_}; }
  void drained() { assert(level_ == 0); }
  void spared() { assert(spare_ == 0); }
};
