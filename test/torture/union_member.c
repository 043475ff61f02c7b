/* A union is not followed. */
#include <assert.h>
static union {
  int i;
  char c[4];
} u;
static int set_;
void put(int x) {
  u.i = x;
  set_ = 1;
}
void use(void) { assert(set_); }
void peek(void) { assert(u.c[0] == 0); }
