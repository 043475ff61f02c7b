/* A recursive function changes the state. */
/* refuse: use */
#include <assert.h>
static int x;
static void down(int n) {
  if (n > 0) {
    down(n - 1);
    x = 1;
  }
}
void poke(int n) {
  if (n < 10) down(n);
}
void use(void) { assert(x == 0); }
