// expect unchecked: violates send
#include "channel.h"
int unchecked(int p) {
  Channel c;
  c.try_connect(p);
  return c.send(1);
}
