// expect straight: follows
#include "stream.h"
int straight(int fd) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, fd) < 0) return -1;
  int r = stream_read(&s, 10);
  stream_close(&s);
  return r;
}
