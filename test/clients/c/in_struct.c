// expect in_struct: follows
// expect in_struct_wrong: violates stream_read
#include "stream.h"
struct file { int size; struct stream s; };
int in_struct(int fd) {
  struct file f = {0};
  stream_init(&f.s);
  if (stream_open(&f.s, fd) < 0) return -1;
  f.size = stream_read(&f.s, 8);
  stream_close(&f.s);
  return f.size;
}
int in_struct_wrong(int fd) {
  struct file f = {0};
  stream_init(&f.s);
  if (stream_open(&f.s, fd) < 0) f.size = stream_read(&f.s, 8);
  return f.size;
}
