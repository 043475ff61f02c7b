/* A callee writes through a pointer among its variable arguments. refuse: need_zero */
#include <assert.h>
#include <stdarg.h>
static int x;
static void put(int n, ...) {
  va_list ap;
  va_start(ap, n);
  *va_arg(ap, int*) = n;
  va_end(ap);
}
void load(void) { put(1, &x); }
void need_zero(void) { assert(x == 0); }
