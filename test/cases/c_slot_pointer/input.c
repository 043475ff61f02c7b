#include <stdbool.h>
#include <stddef.h>
struct slot { bool used, running; unsigned left; };
static struct slot slots[2];
static struct slot *get(int id) { return id >= 0 && id < 2 && slots[id].used ? &slots[id] : NULL; }
int take(int id) {
  if (id < 0 || id >= 2 || slots[id].used) return -1;
  slots[id].used = true;
  slots[id].running = false;
  return 0;
}
int start(int id, unsigned ticks) {
  struct slot *s = get(id);
  if (!s || ticks == 0) return -1;
  s->running = true;
  s->left = ticks;
  return 0;
}
static struct slot *running(int id) {
  struct slot *s = get(id);
  if (s == NULL || !s->running) return NULL;
  return s;
}
int stop(int id) {
  struct slot *s = running(id);
  if (s == NULL) return -1;
  s->running = false;
  return 0;
}
