/* An object is cleared through a pointer to void. */
/* refuse: use */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct item { int a, n; };
static struct item *it;
static void *memory;
void setup(void) { it = malloc(sizeof *it); if (!it) abort(); it->n = 1; memory = it; }
void clear(void) { if (memory) memset(memory, 0, sizeof(struct item)); }
void use(void) { assert(!it || it->n == 1); }
