/* The address of a field of a heap object is kept, and written through later. */
/* refuse: use */
#include <assert.h>
#include <stdlib.h>
struct node {
  long pad;
  int v;
};
static struct node* n;
static int* p;
void make(void) {
  if (!n && (n = calloc(1, sizeof *n))) p = &n->v;
}
void poke(void) {
  if (p) *p = 1;
}
void use(void) { assert(!n || n->v == 0); }
