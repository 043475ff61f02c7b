// expect retry: follows
// expect retry_wrong: violates stream_open
#include "stream.h"
int retry(int fd) {
  struct stream s;
  stream_init(&s);
  while (stream_open(&s, fd) < 0) ++fd;
  stream_close(&s);
  return fd;
}
int retry_wrong(int fd) {
  struct stream s;
  stream_init(&s);
  for (int i = 0; i < 3; ++i) stream_open(&s, fd);
  return 0;
}
