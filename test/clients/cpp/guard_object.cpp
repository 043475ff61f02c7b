// expect guarded: follows
// expect guarded_twice: violates close
#include "channel.h"
struct Closer {
  Channel& c;
  ~Closer() { c.close(); }
};
int guarded(int p) {
  Channel c;
  if (!c.try_connect(p)) return -1;
  Closer closer{c};
  return c.send(p);
}
int guarded_twice(int p) {
  Channel c;
  if (!c.try_connect(p)) return -1;
  Closer closer{c};
  c.close();
  return 0;
}
