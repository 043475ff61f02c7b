/* Compound assignments and the comma. */
#include <assert.h>
static int a, b;
void step(void) {
  a += 2, b = a -= 1;
  if (a > 2) a = b = 0;
}
void one(void) { assert(b == 1); }
