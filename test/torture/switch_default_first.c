/* The default stands first and falls through. */
#include <assert.h>
static int s;
void set(int x) {
  switch (x) {
  default: s = 9; /* fall through */
  case 0: s += 1; break;
  case 1: s = 5;
  }
  if (s > 10) s = 10;
}
void five(void) { assert(s == 5); }
void ten(void) { assert(s == 10); }
