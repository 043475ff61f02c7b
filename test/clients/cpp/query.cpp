// expect query: follows
// expect query_reversed: violates send
#include "channel.h"
int query(int p) {
  Channel c;
  c.try_connect(p);
  if (c.is_open()) c.send(3);
  return 0;
}
int query_reversed(int p) {
  Channel c;
  c.try_connect(p);
  if (!c.is_open()) c.send(3);
  return 0;
}
