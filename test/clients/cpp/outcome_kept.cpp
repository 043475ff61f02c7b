// expect outcome_kept: follows
// expect outcome_lost: violates close
#include "channel.h"
int outcome_kept(int p) {
  Channel c;
  const bool connected = c.try_connect(p);
  if (p > 10) {
    if (connected) c.send(1);
  }
  if (connected) c.close();
  return 0;
}
int outcome_lost(int p) {
  Channel c;
  bool connected = c.try_connect(p);
  if (p > 10) connected = true;
  if (connected) c.close();
  return 0;
}
