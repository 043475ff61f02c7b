#include <cassert>
struct Cell {
  int value = 0;
};
struct Holder {
  Cell* cell;
};
void touch(Holder* holder);
class Box {
  Cell cell_;
  Holder holder_{&cell_};

public:
  void go() { touch(&holder_); }
  void check() { assert(cell_.value == 0); }
};
