/* tacit: --error reach:abort
   Reaching abort is the error. */
#include <stdlib.h>
static int ready;
void prepare(void) { ready = 1; }
void go(void) {
  if (!ready) abort();
  ready = 0;
}
