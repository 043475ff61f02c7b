/* tacit: --time 20
   Counting down in a loop ends at zero. */
#include <assert.h>
static int n;
void add(void) {
  if (n < 3) n++;
}
void drain(void) {
  while (n > 0) n--;
}
void empty(void) { assert(n == 0); }
