/* The address of a variable is kept as a number. */
/* refuse: use */
#include <assert.h>
#include <stdint.h>
static int x; static uintptr_t bits;
void setup(void) { bits = (uintptr_t)&x; }
void clear(void) { if (bits) *(int *)bits = 1; }
void use(void) { assert(x == 0); }
