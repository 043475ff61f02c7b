// expect uncaught: follows
#include "channel.h"
int uncaught(int n) {
  Channel c;
  c.connect(443);
  c.send(n);
  c.close();
  return 0;
}
