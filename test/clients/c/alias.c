// expect alias: follows
// expect alias_chosen: unknown (a pointer to one of two objects)
#include "stream.h"
int alias(int fd) {
  struct stream s, *p = &s;
  stream_init(&s);
  if (stream_open(p, fd) < 0) return -1;
  stream_read(&s, 1);
  stream_close(p);
  return 0;
}
int alias_chosen(int fd, int which) {
  struct stream s, t, *p;
  stream_init(&s);
  stream_init(&t);
  p = which ? &s : &t;
  if (stream_open(p, fd) < 0) return -1;
  stream_close(&s);
  return 0;
}
