// expect unchecked: violates stream_read
#include "stream.h"
int unchecked(int fd) {
  struct stream s;
  stream_init(&s);
  stream_open(&s, fd);
  int r = stream_read(&s, 10);
  stream_close(&s);
  return r;
}
