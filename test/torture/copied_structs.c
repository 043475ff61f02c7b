/* Static structs copied through pointers. */
#include <assert.h>
#include <string.h>
struct s {
  int a, b;
};
static struct s x, y;
static struct s *cur = &x, *other = &y;
void fill(int k) {
  assert(!cur->a);
  cur->a = 1;
  cur->b = k;
}
void copy(void) { *other = *cur; }
void mcopy(void) { memcpy(cur, other, sizeof *cur); }
void zero(void) { memset(&x, 0, sizeof x); }
void swap(void) {
  struct s* t = cur;
  cur = other;
  other = t;
}
void need(void) { assert(y.a); }
