// expect finish: conditional
// expect finished: follows
// expect finished_twice: violates send
// expect close_if_open: follows
#include "channel.h"
void finish(Channel& c) {
  c.send(5);
  c.close();
}
int finished(int p) {
  Channel c;
  if (c.try_connect(p)) finish(c);
  return 0;
}
int finished_twice(int p) {
  Channel c;
  if (c.try_connect(p)) {
    finish(c);
    finish(c);
  }
  return 0;
}
void close_if_open(Channel& c) {
  if (c.is_open()) c.close();
}
