/* An error code through an out-parameter. */
#include <assert.h>
static int fd = -1;
static void try_open(int* error) {
  if (fd >= 0) {
    *error = 1;
    return;
  }
  fd = 3;
  *error = 0;
}
void open_it(void) {
  int e;
  try_open(&e);
  assert(e == 0);
}
void close_it(void) {
  assert(fd >= 0);
  fd = -1;
}
