// expect helped: follows
// expect helped_twice: violates stream_close
#include "stream.h"
static void finish(struct stream *s) { stream_close(s); }
int helped(int fd) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, fd) == 0) finish(&s);
  return 0;
}
int helped_twice(int fd) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, fd) == 0) {
    finish(&s);
    finish(&s);
  }
  return 0;
}
