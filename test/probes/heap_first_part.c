/* A struct that starts another is written with the whole. */
/* refuse: use */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct inner { int a, n; };
struct item { struct inner in; int more; };
static struct item *it;
void setup(void) { it = malloc(sizeof *it); if (!it) abort(); it->in.n = 1; }
void clear(void) { if (it) memset(it, 0, sizeof *it); }
void use(void) { assert(!it || it->in.n == 1); }
