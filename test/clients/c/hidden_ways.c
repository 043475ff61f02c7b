// expect with_intptr: violates stream_read
// expect with_container_of: violates stream_read
// expect with_returned: violates stream_read
// expect with_cleanup: violates stream_close
// expect with_ternary: unknown (an object is not followed)
#include "stream.h"
#include <stddef.h>
#include <stdint.h>
static void cleanup(struct stream* s) { stream_close(s); }
static struct stream* back(struct stream* s) { return s; }
void with_intptr(void) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, 1)) return;
  uintptr_t p = (uintptr_t)&s;
  stream_close((struct stream*)p);
  stream_read(&s, 1);
}
void with_container_of(int* pos) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, 1)) return;
  int* p = &s.pos;
  stream_close((struct stream*)((char*)p - offsetof(struct stream, pos)));
  stream_read(&s, 1);
}
void with_returned(void) {
  struct stream s;
  stream_init(&s);
  if (stream_open(back(&s), 1)) return;
  stream_close(back(&s));
  stream_read(&s, 1);
}
void with_cleanup(void) {
  __attribute__((cleanup(cleanup))) struct stream s;
  stream_init(&s);
  if (stream_open(&s, 1)) return;
  stream_close(&s);
}
void with_ternary(int n) {
  struct stream a, b;
  stream_init(&a);
  stream_init(&b);
  if (stream_open(&a, 1)) return;
  stream_read(n ? &a : &b, 1);
}
