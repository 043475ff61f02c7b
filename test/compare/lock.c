#include "stream.h"
#include <assert.h>
int sys_busy(void);
void lock_init(struct lock* l) { l->held = 0; }
void lock_take(struct lock* l) {
  assert(!l->held);
  l->held = 1;
}
int lock_try(struct lock* l) {
  assert(!l->held);
  if (sys_busy()) return 16;
  l->held = 1;
  return 0;
}
void lock_give(struct lock* l) {
  assert(l->held);
  l->held = 0;
}
