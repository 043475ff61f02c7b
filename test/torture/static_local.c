/* A static local keeps its value. */
#include <assert.h>
void tick(void) {
  static int n;
  n++;
  assert(n <= 2);
}
