/* The same, through a pointer that is kept. */
/* refuse: use */
#include <assert.h>
#include <stdlib.h>
struct hdr { int type; int n; };
struct msg { int type; int n; int more; };
static struct msg *it; static struct hdr *as;
void setup(void) { it = malloc(sizeof *it); if (!it) abort(); it->n = 1; as = (struct hdr *)it; }
void clear(void) { if (as) as->n = 0; }
void use(void) { assert(!it || it->n == 1); }
