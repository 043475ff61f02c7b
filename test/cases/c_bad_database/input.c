#include <assert.h>
static int busy;
void start(void) {
  assert(!busy);
  busy = 1;
}
