// expect guard_kept: follows
// expect guard_broken: violates connect
#include "channel.h"
int guard_kept(int p) {
  Channel c;
  c.connect(p > 0 ? p : 80);
  return c.send(1);
}
int guard_broken(int p) {
  Channel c;
  c.connect(p);
  return c.send(1);
}
