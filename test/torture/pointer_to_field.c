/* A pointer to a field within one call. */
#include <assert.h>
static struct {
  int a, b;
} s;
static void put(int* p, int v) { *p = v; }
void set_a(void) { put(&s.a, 1); }
void set_b(void) {
  int* p = &s.b;
  *p = 2;
}
void both(void) {
  assert(s.a == 1 && s.b == 2);
  s.a = 0;
}
