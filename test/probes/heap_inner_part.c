/* A struct inside another is written through a pointer of its own type. */
/* refuse: use */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct inner { int a, n; };
struct item { int more; struct inner in; };
static struct item *it;
static struct inner *part;
void setup(void) { it = malloc(sizeof *it); if (!it) abort(); it->in.n = 1; part = &it->in; }
void clear(void) { if (part) part->n = 0; }
void use(void) { assert(!it || it->in.n == 1); }
