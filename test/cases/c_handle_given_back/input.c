#include <stdlib.h>

enum status { OK, E_STATE, E_PARAM, E_MEMORY };
struct meter {
  int limit;
  int running;
};

enum status meter_new(int limit, struct meter **out) {
  struct meter *m;
  if (out == NULL || limit < 1) return E_PARAM;
  m = calloc(1, sizeof *m);
  if (m == NULL) return E_MEMORY;
  m->limit = limit;
  *out = m;
  return OK;
}
enum status meter_start(struct meter *m, int n) {
  if (m->running || n > m->limit) return E_STATE;
  m->running = 1;
  return OK;
}
enum status meter_stop(struct meter *m) {
  if (!m->running) return E_STATE;
  m->running = 0;
  return OK;
}
