// expect with_longjmp: unknown (an object is not followed)
// expect with_goto: violates stream_read
// expect with_goto_into: violates stream_read
// expect with_switch: violates stream_read
#include "stream.h"
#include <setjmp.h>
static jmp_buf back;
static void opens(struct stream* s) {
  if (stream_open(s, 1) == 0) longjmp(back, 1);
}
void with_longjmp(void) {
  struct stream s;
  stream_init(&s);
  if (setjmp(back) == 0) {
    opens(&s);
    return;
  }
  stream_open(&s, 2);
}
void with_goto(int n) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, 1)) return;
again:
  stream_read(&s, 1);
  if (n == 3) stream_close(&s);
  if (n-- > 0) goto again;
}
void with_goto_into(int n) {
  struct stream s;
  stream_init(&s);
  if (n > 5) goto in;
  if (stream_open(&s, 1)) return;
in:
  stream_read(&s, 1);
}
void with_switch(int n) {
  struct stream s;
  stream_init(&s);
  switch (n) {
  case 1:
    if (stream_open(&s, 1)) return; /* fall */
  case 2: stream_read(&s, 1);
  default:;
  }
}
