// expect countdown: unknown (recursion)
// expect recursion: unknown (recursion)
#include "stream.h"
int countdown(struct stream *s, int n) {
  if (n <= 0) return 0;
  stream_read(s, n);
  return countdown(s, n - 1);
}
int recursion(int fd) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, fd) < 0) return -1;
  countdown(&s, 3);
  stream_close(&s);
  return 0;
}
