// A latch whose objects end by a destructor.
#include "latch.h"

#include <stdexcept>

Latch::~Latch() { uses = -1; }

void Latch::lock() {
  if (locked) throw std::logic_error("locked");
  locked = true;
  uses = 1;
}

void Latch::unlock() {
  if (!locked) throw std::logic_error("not locked");
  locked = false;
}
