// expect raw_heap: follows
// expect raw_heap_wrong: violates close
#include "channel.h"
int raw_heap(int p) {
  Channel* c = new Channel;
  if (c->try_connect(p)) c->close();
  delete c;
  return 0;
}
int raw_heap_wrong(int p) {
  Channel* c = new Channel;
  if (c->try_connect(p)) c->close();
  c->close();
  delete c;
  return 0;
}
