// expect with_long: violates stream_read
// expect with_overflow: violates stream_read
// expect with_bits: violates stream_read
// expect with_shift: violates stream_read
// expect with_div: violates stream_read
// expect with_mod: violates stream_read
// expect with_strlen: violates stream_read
// expect with_half: follows
// expect with_sum: follows
#include "stream.h"
#include <string.h>
void with_long(long n) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, 1)) return;
  if (n > 0) stream_read(&s, (int)n);
}
void with_overflow(unsigned char n) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, 1)) return;
  unsigned char k = n + 1;
  stream_read(&s, k);
}
void with_bits(int n) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, 1)) return;
  stream_read(&s, n & 0xff);
}
void with_shift(int n) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, 1)) return;
  if (n > 0) stream_read(&s, n << 3);
}
void with_div(int n) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, 1)) return;
  if (n > 0) stream_read(&s, n / 2);
}
void with_mod(int n) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, 1)) return;
  if (n > 3) stream_read(&s, n % 3);
}
void with_strlen(const char* t) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, 1)) return;
  stream_read(&s, (int)strlen(t));
}
void with_half(int n) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, 1)) return;
  if (n > 1) stream_read(&s, n / 2);
}
int with_sum(int n) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, 1)) return 0;
  for (int i = 1; i <= n; ++i) stream_read(&s, i);
  if (n > 0) stream_read(&s, n + 1);
  return 1;
}
