// expect read_found: conditional
// expect fresh: unknown (nothing is known of new memory)
// expect exchanged: conditional
// expect replaced: unknown (what memcpy brings is not known)
// expect written: unknown (p leads into the stream)
#include "stream.h"
#include <stdlib.h>
#include <string.h>
struct holder { int size; struct stream *s; };
int read_found(struct holder *h) { return stream_read(h->s, 1); }
int fresh(struct holder *h) {
  stream_read(h->s, 1);
  struct stream *s = malloc(sizeof *s);
  return s ? stream_read(s, 1) : 0;
}
void exchanged(struct holder *a, struct holder *b) {
  struct stream *s = a->s;
  a->s = b->s;
  b->s = s;
  stream_read(a->s, 1);
}
void replaced(struct holder *h, void *bytes) {
  memcpy(h->s, bytes, sizeof *h->s);
  stream_read(h->s, 1);
}
void written(int *p, int i) {
  struct stream *s = (struct stream *)p;
  stream_init(s);
  if (stream_open(s, 3) < 0) return;
  p[i] = 0;
  stream_read(s, 1);
}
