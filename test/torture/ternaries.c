/* Conditional expressions, nested. */
#include <assert.h>
static int a, b;
void set(int x) {
  a = x > 0 ? 1 : x < 0 ? -1 : 0;
  b = a ? a > 0 ? 2 : 3 : 4;
}
void two(void) { assert(b == 2); }
void three(void) { assert(b == 3); }
