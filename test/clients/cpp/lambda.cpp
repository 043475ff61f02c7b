// expect lambda: follows
// expect lambda_late: violates send
#include "channel.h"
int lambda(int p) {
  Channel c;
  auto say = [&] { c.send(1); };
  if (c.try_connect(p)) say();
  return 0;
}
int lambda_late(int p) {
  Channel c;
  auto say = [&] { c.send(1); };
  if (c.try_connect(p)) c.close();
  say();
  return 0;
}
