// A constructor that makes the handle itself and returns it, as a part of a larger struct.
// tacit: --handle door --constructor door_new
// harness-skip
#include <assert.h>
#include <stdlib.h>
struct door { int magic, open; };
struct gate { struct door door; int guard; char *name; };
struct door *door_new(int kind) {
  struct gate *g = calloc(1, sizeof *g);
  if (!g) return NULL;
  g->name = malloc(8);
  if (!g->name) { free(g); return NULL; }
  g->door.magic = 77;
  g->guard = kind > 3;
  return &g->door;
}
void door_open(struct door *d) { assert(d->magic == 77 && !d->open); d->open = 1; }
int door_guarded(struct door *d) { return ((struct gate *)d)->guard; }
void door_pass(struct door *d) { assert(d->open && !((struct gate *)d)->guard); }
void door_shut(struct door *d) { assert(d->open); d->open = 0; }
