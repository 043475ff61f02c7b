// expect two_ways: unknown (h->s may be &f->s)
// expect by_union: unknown (the array lies over the stream)
#include "stream.h"
struct holder { int size; struct stream *s; };
struct file { int size; struct stream s; };
union room { struct stream s; int words[8]; };
void two_ways(struct file *f, struct holder *h) {
  stream_close(h->s);
  stream_read(&f->s, 1);
}
void by_union(union room *r, int i) {
  r->words[i] = 0;
  stream_read(&r->s, 1);
}
