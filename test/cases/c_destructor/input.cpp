#include <cassert>
class T {
  bool open_ = false;

public:
  ~T() { assert(!open_); }
  void open() { open_ = true; }
  void close() { open_ = false; }
};
