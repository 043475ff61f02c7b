// expect loop: follows
// expect loop_closes: violates stream_read
#include "stream.h"
int loop(int fd, int rounds) {
  struct stream s;
  int sum = 0;
  stream_init(&s);
  if (stream_open(&s, fd) != 0) return -1;
  for (int i = 1; i <= rounds; ++i) sum += stream_read(&s, i);
  stream_close(&s);
  return sum;
}
int loop_closes(int fd, int rounds) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, fd) != 0) return -1;
  for (int i = 0; i < rounds; ++i) {
    stream_read(&s, 1);
    stream_close(&s);
  }
  return 0;
}
