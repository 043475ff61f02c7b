/* Two pointers to one object. */
/* refuse: use */
#include <assert.h>
#include <stdlib.h>
struct node {
  int v;
};
static struct node *a, *b;
void make(void) {
  if (!a) a = calloc(1, sizeof *a);
  b = a;
}
void poke(void) {
  if (b) b->v = 1;
}
void use(void) { assert(!a || a->v == 0); }
