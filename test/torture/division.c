/* Division and remainder round towards zero. */
#include <assert.h>
static int q, r;
void split(int x) {
  q = x / 2;
  r = x % 2;
}
void odd(void) { assert(r != 0); }
void minus(void) { assert(r == -1 && q == 0); }
