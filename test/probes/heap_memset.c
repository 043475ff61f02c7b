/* An object behind a pointer is cleared as a whole. */
/* refuse: use */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct item { int a, n; };
static struct item *it;
void setup(void) { it = malloc(sizeof *it); if (!it) abort(); it->a = 0; it->n = 1; }
void clear(void) { if (it) memset(it, 0, sizeof *it); }
void use(void) { assert(!it || it->n == 1); }
