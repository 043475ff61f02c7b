// expect say: unknown (recursion)
// expect recursion: unknown (recursion)
#include "channel.h"
int say(Channel& c, int n) { return n == 0 ? 0 : c.send(1) + say(c, n - 1); }
int recursion(int p) {
  Channel c;
  return c.try_connect(p) ? say(c, 3) : 0;
}
