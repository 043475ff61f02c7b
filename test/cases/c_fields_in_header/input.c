#include "spool.h"
#include <assert.h>
void spool_init(struct spool *s) {
  s->count = 0;
  s->paused = 0;
}
void spool_pause(struct spool *s) {
  assert(!s->paused);
  s->paused = 1;
}
void spool_resume(struct spool *s) {
  assert(s->paused);
  s->paused = 0;
}
