/* Flags of several widths that are merged, collected with |= and &=, returned by helpers and
 * negated. */
#include <assert.h>

static unsigned char seen;
static int ready;
static int count;

static int one_of(int a, int b) {
  int found = 0;
  for (int i = 0; i < 2; ++i) found |= (i ? a : b) > 0;
  return found;
}

static unsigned char both(int a, int b) {
  unsigned char all = 1;
  all &= a > 0;
  all &= b > 0;
  return all;
}

void prepare(int level) {
  int got = one_of(level, count);
  seen |= (unsigned char)got;
  ready = got & both(1, level);
}

void use(void) {
  assert(ready);
  assert(seen != 0);
  ready = !ready;
}

void toggle(void) {
  int flip = 0;
  flip ^= ready != 0;
  flip ^= 1;
  assert(flip != (ready != 0));
  ready = flip;
  count = 1;
  seen |= (unsigned char)flip;
}
