/* Floating point is not followed. */
#include <assert.h>
static double x;
static int known;
void set(int v) {
  x = v / 2.0;
  known = 1;
}
void need(void) { assert(known); }
void positive(void) { assert(x >= 0); }
