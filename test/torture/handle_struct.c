/* tacit: --handle device --constructor device_init
   harness-kind: handle struct device
   A handle with a constructor. */
#include <assert.h>
struct device {
  int open;
  unsigned count;
};
void device_init(struct device* d) {
  d->open = 0;
  d->count = 0;
}
void device_open(struct device* d) {
  assert(!d->open);
  d->open = 1;
}
void device_use(struct device* d) {
  assert(d->open);
  if (d->count < 10) d->count++;
}
void device_close(struct device* d) {
  assert(d->open && d->count > 0);
  d->open = 0;
  d->count = 0;
}
