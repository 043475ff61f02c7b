#include "pump.h"

#include <stdlib.h>

typedef struct {
  int channel;
  unsigned rate;
  int error;
} pump;

int pump_open(pump_t* out, int channel) {
  pump* p;
  if (channel < 0 || channel > 3) return -2;
  p = calloc(1, sizeof *p);
  if (!p) return -1;
  p->channel = channel;
  *out = p;
  return 0;
}

static int failed(pump* p, int error) {
  p->error = error;
  return -1;
}

int pump_start(pump_t h, int rate) {
  pump* p = h;
  if (p->rate) return failed(p, 1);
  if (rate <= 0) return failed(p, 2);
  p->rate = (unsigned)rate;
  return 0;
}

int pump_stop(pump_t h) {
  pump* p = (pump*)h;
  if (!p->rate) return failed(p, 3);
  p->rate = 0;
  return 0;
}

int pump_last_error(pump_t h) { return ((pump*)h)->error; }

void pump_close(pump_t h) { free(h); }
