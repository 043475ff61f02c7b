/* An object is written as an array of numbers. */
/* refuse: use */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct item { int a, n; };
static struct item *it;
void setup(void) { it = malloc(sizeof *it); if (!it) abort(); it->n = 1; }
void clear(void) { if (it) ((int *)it)[1] = 0; }
void use(void) { assert(!it || it->n == 1); }
