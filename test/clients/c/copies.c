// expect with_copy_back: violates stream_close
// expect with_memcpy: violates stream_close
// expect with_pair_local: violates stream_read
// expect with_pair_swap: violates stream_close
#include "stream.h"
#include <string.h>
struct pair {
  struct stream a, b;
};
void with_copy_back(void) {
  struct stream s, t;
  stream_init(&s);
  t = s;
  if (stream_open(&s, 1)) return;
  s = t;
  stream_close(&s);
}
void with_memcpy(void) {
  struct stream s, t;
  stream_init(&s);
  memcpy(&t, &s, sizeof s);
  if (stream_open(&s, 1)) return;
  memcpy(&s, &t, sizeof s);
  stream_close(&s);
}
void with_pair_local(void) {
  struct pair p;
  stream_init(&p.a);
  stream_init(&p.b);
  if (stream_open(&p.a, 1)) return;
  stream_read(&p.b, 1);
}
void with_pair_swap(void) {
  struct pair p;
  stream_init(&p.a);
  stream_init(&p.b);
  if (stream_open(&p.a, 1)) return;
  struct stream t = p.a;
  p.a = p.b;
  p.b = t;
  stream_close(&p.a);
}
