// Latches that are gone while they are locked.
#include "latch.h"

void held(bool early) {
  Latch latch;
  latch.lock();
  if (early) return;
  latch.unlock();
}

void given_back(int times) {
  for (int i = 0; i < times; ++i) {
    Latch latch;
    latch.lock();
    latch.unlock();
  }
}
