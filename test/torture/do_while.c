/* tacit: --time 20
   A loop that runs at least once. */
#include <assert.h>
static int n;
void fill(int k) {
  int i = 0;
  do {
    i++;
  } while (i < k && i < 4);
  n = i;
}
void check(void) { assert(n >= 1); }
