/* A pointer is kept as a number. */
/* refuse: use */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
struct item { int a, n; };
static struct item *it; static uintptr_t bits;
void setup(void) { it = malloc(sizeof *it); if (!it) abort(); it->n = 1; bits = (uintptr_t)it; }
void clear(void) { if (bits) ((struct item *)bits)->n = 0; }
void use(void) { assert(!it || it->n == 1); }
