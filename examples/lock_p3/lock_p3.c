/* The lock of lock_p3.tir as a C module: acq may fail, and says so. */
#include <assert.h>
#include <stdbool.h>

struct memory;
extern bool claim(void);
extern int fetch(void);

static int owner; /* 0: nobody */

bool acq(void) {
  assert(owner == 0);
  if (!claim()) return false;
  owner = 1;
  return true;
}

int read(void) {
  assert(owner != 0);
  return fetch();
}

void rel(void) { owner = 0; }
