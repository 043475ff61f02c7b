/* Cases fall through. */
#include <assert.h>
static int s;
int step(int by) {
  int cost = 0;
  switch (by) {
  case 2: s++; cost++; /* fall through */
  case 1:
    s++;
    cost++;
    break;
  case 0: break;
  default: s = 0;
  }
  if (s > 3) s = 3;
  return cost;
}
void need3(void) { assert(s == 3); }
