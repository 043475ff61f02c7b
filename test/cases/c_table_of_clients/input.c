#include <stdlib.h>
struct ops { int (*xfer)(void *context); };
struct bus { const struct ops *ops; int active; };
struct bus *bus_create(const struct ops *ops) {
  if (!ops || !ops->xfer) return NULL;
  struct bus *b = calloc(1, sizeof *b);
  if (!b) return NULL;
  b->ops = ops;
  return b;
}
int bus_begin(struct bus *b) {
  if (b->active) return -1;
  b->active = 1;
  return 0;
}
int bus_end(struct bus *b) {
  if (!b->active) return -1;
  b->active = 0;
  return 0;
}
