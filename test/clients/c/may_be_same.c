// expect same: unknown (s may be what c points to)
// expect inner: unknown (s may lie in c)
// expect with_named: unknown (others may hand in `shared`)
// expect with_given: unknown (others may hand in what `given_out` returned)
// expect with_own: conditional
// expect by_void: unknown (p may be `shared`)
// expect behind: unknown (c may lead to `shared`)
#include "stream.h"
struct holder { int size; struct stream *s; };
struct file { int size; struct stream s; };
struct stream shared;
static struct stream given, own;
struct stream *given_out(void) { return &given; }
void same(struct holder *c, struct stream *s) {
  stream_init(s);
  if (stream_open(s, 3) < 0) return;
  stream_init(c->s);
  stream_read(s, 1);
}
void inner(struct stream *s, struct file *c) {
  stream_init(&c->s);
  if (stream_open(&c->s, 3) < 0) return;
  stream_init(s);
  stream_read(&c->s, 1);
}
void with_named(struct stream *s) {
  stream_init(&shared);
  if (stream_open(&shared, 1)) return;
  stream_init(s);
  stream_read(&shared, 1);
}
void with_given(struct stream *s) {
  stream_init(&given);
  if (stream_open(&given, 1)) return;
  stream_init(s);
  stream_read(&given, 1);
}
void with_own(struct stream *s) {
  stream_init(&own);
  if (stream_open(&own, 1)) return;
  stream_init(s);
  stream_read(&own, 1);
}
void by_void(void *p) {
  stream_init(&shared);
  if (stream_open(&shared, 1)) return;
  stream_init((struct stream *)p);
  stream_read(&shared, 1);
}
void behind(struct holder *c) {
  stream_init(&shared);
  if (stream_open(&shared, 1)) return;
  stream_init(c->s);
  stream_read(&shared, 1);
}
