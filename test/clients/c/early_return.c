// expect early_return: follows
// expect double_close: violates stream_close
#include "stream.h"
int early_return(int fd, int n) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, fd) < 0) return -1;
  if (n <= 0) {
    stream_close(&s);
    return 0;
  }
  int r = stream_read(&s, n);
  stream_close(&s);
  return r;
}
int double_close(int fd, int n) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, fd) < 0) return -1;
  if (n <= 0) stream_close(&s);
  stream_close(&s);
  return 0;
}
