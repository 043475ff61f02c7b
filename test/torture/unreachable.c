/* __builtin_unreachable leaves no run. */
#include <assert.h>
static int s;
void step(void) {
  switch (s) {
  case 0: s = 1; break;
  case 1: s = 2; break;
  case 2: s = 0; break;
  default: __builtin_unreachable();
  }
}
void two(void) { assert(s == 2); }
