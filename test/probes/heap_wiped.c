/* A function that stays a call clears what it is handed as void. */
/* refuse: use */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct item { int a, n; };
static struct item *it;
static void wipe(void *at, int n) { if (n > 1000) wipe(at, n - 1); memset(at, 0, sizeof(struct item)); }
void setup(void) { it = malloc(sizeof *it); if (!it) abort(); it->n = 1; }
void clear(void) { if (it) wipe(it, 4); }
void use(void) { assert(!it || it->n == 1); }
