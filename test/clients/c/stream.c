#include "stream.h"

#include <assert.h>

int sys_open(int fd);

void stream_init(struct stream *s) {
  s->mode = 0;
  s->fd = -1;
  s->pos = 0;
}

int stream_open(struct stream *s, int fd) {
  assert(s->mode == 0);
  if (sys_open(fd) < 0) return -1;
  s->mode = 1;
  s->fd = fd;
  return 0;
}

int stream_read(struct stream *s, int n) {
  assert(s->mode == 1);
  assert(n > 0);
  s->pos += n;
  return s->pos;
}

void stream_close(struct stream *s) {
  assert(s->mode == 1);
  s->mode = 0;
}
