/* tacit: --error returns:-16 --error returns:-77
   Negative errno-style codes. */
#include <errno.h>
static enum { IDLE, READY, RUN } st;
static int refs;
int dev_get(void) {
  if (st == RUN) return -EBUSY;
  if (refs == 3) return -EAGAIN;
  refs++;
  st = READY;
  return 0;
}
int dev_put(void) {
  int ret = 0;
  if (!refs) {
    ret = -EBADFD;
    goto out;
  }
  if (--refs == 0) st = IDLE;
out:
  return ret;
}
int dev_run(int go) {
  if (st != READY) return -EBADFD;
  if (go) st = RUN;
  return go ? 1 : 0;
}
int dev_halt(void) {
  if (st == RUN) {
    st = READY;
    return 0;
  }
  return -EINVAL;
}
