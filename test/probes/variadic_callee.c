/* A callee with variable arguments writes. refuse: need_zero */
#include <assert.h>
#include <stdarg.h>
static int sum;
static void put(int n, ...) {
  va_list ap;
  va_start(ap, n);
  sum = va_arg(ap, int);
  va_end(ap);
}
void load(int x) { put(1, x); }
void need_zero(void) { assert(sum == 0); }
