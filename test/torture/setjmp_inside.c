/* setjmp and longjmp as exceptions. */
#include <assert.h>
#include <setjmp.h>
static jmp_buf env;
static int open_, failed;
static void fail(int x) {
  if (x) longjmp(env, 1);
}
int work(int x) {
  if (setjmp(env)) {
    failed = 1;
    return -1;
  }
  open_ = 1;
  fail(x);
  open_ = 0;
  return 0;
}
void need_closed(void) { assert(!open_); }
void need_ok(void) { assert(!failed); }
