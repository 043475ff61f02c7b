/* A pointer chosen at run time. */
#include <assert.h>
static int a, b;
void set(int which) {
  int* p = which ? &a : &b;
  *p = 1;
}
void clear(void) { a = b = 0; }
void need_a(void) { assert(a); }
