/* Reference count with release. */
#include <assert.h>
static int refs;
static int alive = 0;
static void destroy(void) {
  assert(alive);
  alive = 0;
}
void create(void) {
  assert(!alive);
  alive = 1;
  refs = 1;
}
void retain(void) {
  assert(alive);
  assert(refs < 3);
  refs++;
}
int release(void) {
  assert(alive);
  if (--refs == 0) {
    destroy();
    return 1;
  }
  return 0;
}
