/* Structs with bit-fields and arrays are copied, through a temporary and as bytes. */
#include <assert.h>
#include <stdbool.h>
#include <string.h>
struct part {
  unsigned a : 2;
  int b : 3;
  bool c : 1;
  short list[2];
};
static struct part x, y;
void set_x(void) {
  x.a = 3;
  x.b = -2;
  x.c = true;
  x.list[1] = 7;
}
void swap(void) {
  struct part t = x;
  x = y;
  y = t;
}
void copy(void) { memcpy(&y, &x, sizeof y); }
void a(void) { assert(y.a == 3); }
void b(void) { assert(y.b >= 0); }
void c(void) { assert(!x.c); }
void list(void) { assert(y.list[1] == 0); }
