/* A call through a pointer is opaque. */
#include <assert.h>
static int (*hook)(int);
static int state;
static int twice(int x) { return 2 * x; }
void install(void) { hook = twice; }
int run(int x) {
  assert(hook);
  state = 1;
  return hook(x) != 0;
}
void after(void) { assert(state); }
