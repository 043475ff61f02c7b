/* Assembly writes the variable it is handed. */
/* refuse: use */
#include <assert.h>
static int x;
void poke(void) { __asm__ volatile("movl $1, %0" : "=m"(x)); }
void use(void) { assert(x == 0); }
