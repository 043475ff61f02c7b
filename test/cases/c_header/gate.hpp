#pragma once
#include <cassert>
class Gate {
  bool open_ = false;

public:
  void open() {
    assert(!open_);
    open_ = true;
  }
  void close() {
    assert(open_);
    open_ = false;
  }
};
