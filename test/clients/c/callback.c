// expect callback: unknown (whoever gets the function may run it)
// expect direct: unknown (a function that is handed out may run in every callee)
#include "stream.h"
void each(void (*f)(struct stream *), struct stream *s);
static void close_it(struct stream *s) { stream_close(s); }
int callback(int fd) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, fd) < 0) return -1;
  each(close_it, &s);
  stream_close(&s);
  return 0;
}
int direct(int fd) {
  void (*f)(struct stream *) = close_it;
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, fd) < 0) return -1;
  f(&s);
  return 0;
}
