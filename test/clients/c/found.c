// Streams that a function finds in memory: behind a pointer to what holds them.
// expect by_value: conditional
// expect by_void: conditional
// expect started: follows
// expect given_back: follows
// expect twice: unknown (wrong, and it may be another object each time)
// expect after_helper: unknown (the helper may close it)
#include "stream.h"
#include <stdlib.h>
struct file { int size; struct stream s; };
void helper(void *p);
int by_value(struct file *f, int n) {
  if (n <= 0) return -1;
  f->size += stream_read(&f->s, n);
  return f->size;
}
int by_void(void *opaque) {
  struct file *f = opaque;
  int n = stream_read(&f->s, 8);
  stream_close(&f->s);
  return n;
}
int started(struct file *f, int fd) {
  stream_init(&f->s);
  if (stream_open(&f->s, fd) < 0) return -1;
  int r = stream_read(&f->s, 4);
  stream_close(&f->s);
  return r;
}
struct file *given_back(int fd) {
  struct file *f = malloc(sizeof *f);
  if (!f) return 0;
  stream_init(&f->s);
  if (stream_open(&f->s, fd) == 0) return f;
  free(f);
  return 0;
}
void twice(struct file *f) {
  stream_close(&f->s);
  stream_close(&f->s);
}
int after_helper(struct file *f) {
  helper(f);
  return stream_read(&f->s, 1);
}
