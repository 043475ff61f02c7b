/* A handler that is one of several functions. */
#include <assert.h>
#include <stdlib.h>
static int (*handler)(int);
static int open_, ready;
static int on_data(int x) {
  assert(open_);
  ready = 1;
  return x;
}
static int ignore(int x) { return -x; }
void start(void) {
  open_ = 1;
  handler = on_data;
}
void stop(void) {
  open_ = 0;
  handler = ignore;
}
void feed(int x) {
  if (handler) handler(x);
}
void half_stop(void) { open_ = 0; }
void take(void) {
  assert(ready);
  ready = 0;
}
