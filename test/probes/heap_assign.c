/* An object behind a pointer is assigned as a whole. */
/* refuse: use */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct item { int a, n; };
static struct item *it;
void setup(void) { it = malloc(sizeof *it); if (!it) abort(); it->a = 0; it->n = 1; }
void clear(void) { struct item none = {0, 0}; if (it) *it = none; }
void use(void) { assert(!it || it->n == 1); }
