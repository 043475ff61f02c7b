/* Several returns. */
#include <assert.h>
static int open_, busy;
int start(void) {
  if (!open_) return -1;
  if (busy) return -2;
  busy = 1;
  return 0;
}
void open_it(void) { open_ = 1; }
void stop(void) {
  assert(busy);
  busy = 0;
}
