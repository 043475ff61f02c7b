/* Pointers that lead to a few variables, chosen at run time. */
#include <assert.h>
#include <stdbool.h>
static int a, b, c;
static int *p, *q = &b;
void pa(void) { p = &a; }
void pb(void) { p = &b; }
void drop(void) { p = 0; }
void set(void) {
  if (p) *p = 1;
}
void setq(void) { *q = 2; }
void ca(void) { assert(a == 0); }
void cb(void) { assert(b == 0); }
void same(void) { assert(p != q); }
void pick(bool x) {
  int* r = x ? &a : &c;
  *r = 3;
}
