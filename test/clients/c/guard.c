// expect guard_kept: follows
// expect guard_broken: violates stream_read
// expect guard_constant: violates stream_read
#include "stream.h"
int guard_kept(int fd, int n) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, fd) < 0) return -1;
  int r = n > 3 ? stream_read(&s, n - 3) : 0;
  stream_close(&s);
  return r;
}
int guard_broken(int fd, int n) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, fd) < 0) return -1;
  int r = n >= 3 ? stream_read(&s, n - 3) : 0;
  stream_close(&s);
  return r;
}
int guard_constant(int fd) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, fd) < 0) return -1;
  return stream_read(&s, 0);
}
