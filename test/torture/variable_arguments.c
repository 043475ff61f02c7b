/* Varargs helper that changes state. */
#include <assert.h>
#include <stdarg.h>
static int level, sum;
static void log_(int lv, ...) {
  va_list ap;
  va_start(ap, lv);
  sum = va_arg(ap, int);
  va_end(ap);
  level = lv;
}
void quiet(void) { log_(0, 5); }
void loud(int x) { log_(1, x); }
void need_loud(void) { assert(level == 1); }
void need_zero(void) { assert(sum == 0); }
