/* The lock of lock_p1.tir as a C module: reading needs the lock, taking it twice is a mistake. */
#include <assert.h>
#include <stdbool.h>

static bool held;
static int cell;

void acq(void) {
  assert(!held);
  held = true;
}

int read(void) {
  assert(held);
  return cell;
}

void rel(void) { held = false; }
