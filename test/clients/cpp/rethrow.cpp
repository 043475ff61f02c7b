// expect rethrow: follows
// expect after_throw: violates close
#include "channel.h"
int rethrow(int p) {
  Channel c;
  try {
    c.connect(80);
    if (c.send(p) < 0) throw 1;
    c.close();
  } catch (int) {
    c.close();
    throw;
  }
  return 0;
}
int after_throw(int p) {
  Channel c;
  try {
    c.connect(80);
    if (p > 0) throw 1;
  } catch (...) {
    c.close();
    return -1;
  }
  return 0;
}
