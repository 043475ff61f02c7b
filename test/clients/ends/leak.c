/* Streams that are left open on one path; streams that are handed in are the caller's to close. */
#include "../c/stream.h"

int leaks(int fd) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, fd) < 0) return 0;
  if (fd == 3) return stream_read(&s, 1);
  stream_close(&s);
  return 1;
}

int closes(int fd) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, fd) < 0) return 0;
  int n = stream_read(&s, 1);
  stream_close(&s);
  return n;
}

int hands(struct stream *s) { return stream_read(s, 1); }
