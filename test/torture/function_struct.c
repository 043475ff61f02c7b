/* A vtable by hand: struct of function pointers. */
#include <assert.h>
struct ops {
  int (*open)(void);
  int (*close)(void);
};
static int n;
static int o1(void) {
  n = 1;
  return 0;
}
static int c1(void) {
  assert(n);
  n = 0;
  return 0;
}
static int bad(void) {
  assert(0);
  return 1;
}
static const struct ops closed = {o1, bad}, opened = {bad, c1};
static const struct ops* ops = &closed;
void op(void) {
  ops->open();
  ops = &opened;
}
void cl(void) {
  ops->close();
  ops = &closed;
}
