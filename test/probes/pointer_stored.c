/* The address of a field is kept, and written through later. */
/* refuse: use */
#include <assert.h>
static int x;
static int* p;
void bind(void) { p = &x; }
void poke(void) {
  if (p) *p = 1;
}
void use(void) { assert(x == 0); }
