/* A stream in small: public fields that the client sets before each call, a loop that makes
   progress, and an order of actions that depends on what the last call left. */
#include "stream.h"

#include <stdlib.h>

enum mode { RUNNING, FLUSHING };

struct inner {
  enum mode mode;
  size_t expected, pending;
};

int stream_open(struct stream* s) {
  struct inner* i = malloc(sizeof *i);
  if (!i) return NO_MEMORY;
  i->mode = RUNNING;
  i->expected = i->pending = 0;
  s->inner = i;
  return OK;
}

static int copy(struct stream* s) {
  int progress = 0;
  while (s->avail_in > 0) {
    progress |= 1;
    s->avail_in--;
    s->inner->pending++;
  }
  while (s->avail_out > 0 && s->inner->pending > 0) {
    progress |= 1;
    s->avail_out--;
    s->inner->pending--;
  }
  return progress;
}

int stream_code(struct stream* s, enum action action) {
  if (!s->inner || (!s->next_in && s->avail_in) || (!s->next_out && s->avail_out))
    return OUT_OF_ORDER;
  if (s->reserved1 || s->reserved2 || s->reserved3) return BAD_OPTIONS;
  if (s->inner->mode == FLUSHING && (action != FLUSH || s->avail_in != s->inner->expected))
    return OUT_OF_ORDER;
  if (action == FLUSH) s->inner->mode = FLUSHING;
  if (!copy(s) && action == RUN) return BAD_OPTIONS;
  s->inner->expected = s->avail_in;
  if (action == FLUSH && s->inner->pending == 0) {
    s->inner->mode = RUNNING;
    return DONE;
  }
  return OK;
}

void stream_close(struct stream* s) {
  free(s->inner);
  s->inner = NULL;
}
