// expect escape: unknown (keep() may close it)
// expect looked_at: follows
#include "stream.h"
void keep(struct stream *s);
void look(const struct stream *s);
int escape(int fd) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, fd) < 0) return -1;
  keep(&s);
  stream_close(&s);
  return 0;
}
int looked_at(int fd) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, fd) < 0) return -1;
  look(&s);
  stream_close(&s);
  return 0;
}
