/* A byte of an integer is written. */
/* refuse: use */
#include <assert.h>
static int x;
void poke(void) { ((char*)&x)[1] = 1; }
void use(void) { assert(x == 0); }
