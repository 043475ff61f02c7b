#include "bus.h"
#include <stdlib.h>

struct bus {
  const struct bus_ops *ops;
  int open;
};

struct bus *bus_new(const struct bus_ops *ops) {
  struct bus *b;
  if (!ops || !ops->send || ops->version < 2) return NULL;
  b = calloc(1, sizeof *b);
  if (b) b->ops = ops;
  return b;
}

int bus_open(struct bus *b, const struct bus_ops *other) {
  if (b->open || other->version < 3) return -1;
  if (b->ops->wake && b->ops->wake() < 0) return 1;
  b->open = 1;
  return 0;
}

int bus_send(struct bus *b, int byte) {
  if (!b->open) return -1;
  return b->ops->send(byte) < 0 ? 1 : 0;
}
