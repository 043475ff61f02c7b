// expect with_comma: violates stream_read
// expect with_errno: violates stream_read
// expect with_unsigned_ret: violates stream_read
// expect with_loop_arg: violates stream_read
#include "stream.h"
void with_comma(int n) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, 1)) return;
  (stream_close(&s), stream_read(&s, 1));
}
void with_errno(int n) {
  struct stream s;
  stream_init(&s);
  int ok = stream_open(&s, 1);
  if (ok <= 0) stream_read(&s, 1);
}
void with_unsigned_ret(void) {
  struct stream s;
  stream_init(&s);
  unsigned r = (unsigned)stream_open(&s, 1);
  if (r >= 0) stream_read(&s, 1);
}
void with_loop_arg(int n) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, 1)) return;
  for (int i = 3; i >= 0; i--) stream_read(&s, i);
  stream_close(&s);
}
