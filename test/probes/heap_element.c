/* An element of an array is written under its own name and by its index. */
/* refuse: use */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct item { int a, n; };
static struct item *all, *second;
void setup(void) { all = malloc(4 * sizeof *all); if (!all) abort(); second = &all[1]; second->n = 1; }
void clear(unsigned i) { if (all && i < 4) all[i].n = 0; }
void use(void) { assert(!second || second->n == 1); }
