// expect straight: follows
#include "channel.h"
int straight(int p) {
  Channel c;
  if (!c.try_connect(p)) return -1;
  c.send(1);
  c.close();
  return 0;
}
