#include <cassert>
class Slot {
  int mine_ = 0;
  int* current_ = &mine_;
  bool same_ = false;
  bool is_current(int* place) { return place == current_; }

public:
  void other() {
    int local = 0;
    same_ = is_current(&local);
  }
  void own() { same_ = is_current(&mine_); }
  void check() { assert(!same_); }
};
