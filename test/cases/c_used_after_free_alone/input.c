#include <stdlib.h>
enum { DOOR_ESTATE = -1, DOOR_EINVAL = -2 };
struct door {
  int open;
};
struct door *door_new(void) { return calloc(1, sizeof(struct door)); }
int door_open(struct door *d) {
  if (d->open)
    return DOOR_ESTATE;
  d->open = 1;
  return 0;
}
int door_knock(struct door *d, int times) {
  if (times <= 0)
    return DOOR_EINVAL;
  return d->open;
}
void door_free(struct door *d) { free(d); }
