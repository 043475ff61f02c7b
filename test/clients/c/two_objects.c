// expect two_objects: follows
// expect mixed_up: violates stream_close
#include "stream.h"
int two_objects(int a, int b) {
  struct stream s, t;
  stream_init(&s);
  stream_init(&t);
  if (stream_open(&s, a) < 0) return -1;
  if (stream_open(&t, b) < 0) {
    stream_close(&s);
    return -1;
  }
  stream_read(&s, stream_read(&t, 1) > 5 ? 2 : 3);
  stream_close(&t);
  stream_close(&s);
  return 0;
}
int mixed_up(int a, int b) {
  struct stream s, t;
  stream_init(&s);
  stream_init(&t);
  if (stream_open(&s, a) < 0) return -1;
  if (stream_open(&t, b) < 0) stream_close(&t);
  stream_close(&s);
  return 0;
}
