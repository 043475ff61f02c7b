// expect reopened: follows
// expect made_in_loop: follows
// expect copied: follows
#include "stream.h"
int reopened(int fd) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, fd) == 0) stream_close(&s);
  if (stream_open(&s, fd + 1) == 0) stream_close(&s);
  return 0;
}
int made_in_loop(int n) {
  for (int i = 0; i < n; ++i) {
    struct stream s;
    stream_init(&s);
    if (stream_open(&s, i) < 0) continue;
    stream_close(&s);
  }
  return n;
}
int copied(int fd) {
  struct stream s, t;
  stream_init(&s);
  if (stream_open(&s, fd) < 0) return -1;
  t = s;
  stream_close(&t);
  return 0;
}
