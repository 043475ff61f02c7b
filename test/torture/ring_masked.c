/* Free-running indices, masked. */
#include <assert.h>
static unsigned char r, w;
static int d[2];
void put(int x) {
  assert((unsigned char)(w - r) < 2);
  d[w++ & 1] = x;
}
int get(void) {
  assert(w != r);
  return d[r++ & 1] == 7;
}
int len(void) { return (unsigned char)(w - r); }
