/* The same for the first field, whose address is that of the object. */
/* refuse: use */
#include <assert.h>
#include <stdlib.h>
struct node {
  int v;
  long pad;
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
