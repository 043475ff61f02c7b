// expect two: conditional
// expect both: follows
// expect swapped: violates send
#include "channel.h"
void two(Channel& a, Channel& b) {
  a.send(1);
  b.close();
}
int both(int p) {
  Channel a, b;
  if (!a.try_connect(p)) return 1;
  if (b.try_connect(p + 1)) two(a, b);
  return 0;
}
int swapped(int p) {
  Channel a, b;
  if (!a.try_connect(p) && b.try_connect(p + 1)) two(a, b);
  return 0;
}
