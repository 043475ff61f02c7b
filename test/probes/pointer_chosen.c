/* A pointer chosen at run time is written through. */
/* refuse: use */
#include <assert.h>
static int x, y;
void poke(int which) {
  int* p = which ? &x : &y;
  *p = 1;
}
void use(void) { assert(x == 0); }
