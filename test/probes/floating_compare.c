/* A comparison of floating point numbers may go either way. */
/* refuse: use */
#include <assert.h>
static double d;
static int ok = 1;
void set(int x) {
  d = x;
  ok = d < 3.5;
}
void use(void) { assert(ok); }
