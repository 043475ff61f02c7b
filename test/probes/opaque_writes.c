/* An unknown function is handed the address of a field. */
/* refuse: use */
#include <assert.h>
extern void fill(int*);
static int x;
void poke(void) { fill(&x); }
void use(void) { assert(x == 0); }
