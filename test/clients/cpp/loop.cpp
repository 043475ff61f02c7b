// expect loop: follows
// expect loop_wrong: violates try_connect
#include "channel.h"
int loop(int n) {
  for (int i = 0; i < n; ++i) {
    Channel c;
    if (!c.try_connect(i)) continue;
    while (c.send(2) > 0) {
    }
    c.close();
  }
  return 0;
}
int loop_wrong(int n) {
  Channel c;
  int connected = 0;
  while (connected < n) connected += c.try_connect(connected);
  return connected;
}
