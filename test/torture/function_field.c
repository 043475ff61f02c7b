/* Function pointers in a mutable struct. */
#include <assert.h>
static int up;
static void h_start(void) {
  assert(!up);
  up = 1;
}
static void h_none(void) {}
static struct {
  void (*h)(void);
  int k;
} st = {h_none, 0};
void arm(void) { st.h = h_start; }
void disarm(void) { st.h = h_none; }
void fire(void) { st.h(); }
void down(void) {
  assert(up);
  up = 0;
}
