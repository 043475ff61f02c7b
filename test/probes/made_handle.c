// The memory that a constructor makes and returns holds anything at first.
// tacit: --handle door --constructor door_new --time 20
// refuse: use
#include <assert.h>
#include <stdlib.h>
struct door { int open, locked; };
struct door *door_new(void) {
  struct door *d = malloc(sizeof *d);
  if (!d) return 0;
  d->locked = 0;
  return d;
}
void lock(struct door *d) { d->locked = 1; }
void use(struct door *d) { assert(d->open == 0); }
