/* The right side runs only when it must. */
#include <assert.h>
static int hits, gate;
static int touch(void) {
  hits = 1;
  return 1;
}
void toggle(void) { gate = !gate; }
int probe(void) { return gate && touch(); }
int either(void) { return gate || touch(); }
void seen(void) {
  assert(hits);
  hits = 0;
}
