#pragma once

class Latch {
public:
  Latch() = default;
  ~Latch();
  void lock();
  void unlock();

private:
  bool locked = false;
  int uses = 0;
};
