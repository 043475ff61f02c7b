/* An object is written as another struct with the same fields. */
/* refuse: use */
#include <assert.h>
#include <stdlib.h>
struct hdr { int type; int n; };
struct msg { int type; int n; int more; };
static struct msg *it;
void setup(void) { it = malloc(sizeof *it); if (!it) abort(); it->n = 1; }
void clear(void) { if (it) ((struct hdr *)it)->n = 0; }
void use(void) { assert(!it || it->n == 1); }
