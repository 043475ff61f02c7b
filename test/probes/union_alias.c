/* One member of a union is written, another read. */
/* refuse: use */
#include <assert.h>
static union {
  int i;
  struct {
    short lo, hi;
  } h;
} u;
void put(void) { u.i = 0x10000; }
void use(void) { assert(u.h.hi == 0); }
