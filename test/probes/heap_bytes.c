/* An object is written through a pointer to bytes. */
/* refuse: use */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct item { int a, n; };
static struct item *it;
static unsigned char *bytes;
void setup(void) { it = malloc(sizeof *it); if (!it) abort(); it->n = 1; bytes = (unsigned char *)it; }
void clear(void) { if (bytes) bytes[4] = 0; }
void use(void) { assert(!it || it->n == 1); }
