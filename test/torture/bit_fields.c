/* Bit-fields of several widths. */
#include <assert.h>
static struct {
  unsigned a : 1;
  unsigned count : 3;
  signed delta : 4;
  unsigned z : 1;
} s;
void inc(void) {
  assert(s.count < 5);
  s.count++;
}
void dec(void) {
  assert(s.count != 0);
  s.count--;
}
void mark(void) {
  s.a = 1;
  s.delta = -3;
}
void use(void) {
  assert(s.a && s.delta < 0);
  s.a = 0;
  s.delta = 2;
}
