/* memset of a struct that is chosen at run time. */
#include <assert.h>
#include <string.h>
struct S {
  int a;
  int b;
};
static struct S x, y;
static int which;
void fill(void) {
  x.a = 1;
  y.a = 2;
}
void choose(void) { which = !which; }
void wipe(void) {
  struct S* p = which ? &x : &y;
  memset(p, 0, sizeof *p);
}
void wx(void) { assert(x.a != 0); }
void wy(void) { assert(y.a == 0); }
