// expect with_field: violates stream_open
// expect with_field2: violates stream_read
// expect with_cast: violates stream_read
// expect with_memset: violates stream_read
// expect with_union: violates stream_read
// expect with_fd: follows
#include "stream.h"
#include <string.h>
union both {
  struct stream s;
  char bytes[32];
};
void with_field(void) {
  struct stream s;
  stream_init(&s);
  s.mode = 1;
  s.mode = 0;
  if (stream_open(&s, 1)) return;
  s.mode = 0;
  stream_read(&s, 1);
}
void with_field2(void) {
  struct stream s;
  stream_init(&s);
  s.mode = 2;
  stream_read(&s, 1);
}
void with_cast(void) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, 1)) return;
  int* p = (int*)&s;
  p[1] = 0;
  stream_read(&s, 1);
}
void with_memset(void) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, 1)) return;
  memset(&s, 0, sizeof s);
  stream_read(&s, 1);
}
void with_union(void) {
  union both u;
  stream_init(&u.s);
  if (stream_open(&u.s, 1)) return;
  memset(u.bytes, 0, sizeof u.bytes);
  stream_read(&u.s, 1);
}
void with_fd(void) {
  struct stream s;
  stream_init(&s);
  s.fd = 7;
  if (stream_open(&s, 1)) return;
  s.fd = 3;
  if (s.fd == 3) stream_read(&s, 1);
  if (s.fd == 4) stream_open(&s, 1);
}
