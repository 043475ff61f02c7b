/* A small array, indexed by an argument. */
#include <assert.h>
static int slot[3];
void put(int i) {
  if (i < 0 || i > 2) return;
  slot[i] = 1;
}
void take(int i) {
  if (i < 0 || i > 2) return;
  slot[i] = 0;
}
void first(void) { assert(slot[0]); }
void all(void) { assert(slot[0] && slot[1] && slot[2]); }
