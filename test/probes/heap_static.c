/* A static object is cleared through a pointer that is kept. */
/* refuse: use */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct item { int a, n; };
static struct item one = {0, 1};
static struct item *it;
void setup(void) { it = &one; }
void clear(void) { if (it) memset(it, 0, sizeof *it); }
void use(void) { assert(one.n == 1); }
