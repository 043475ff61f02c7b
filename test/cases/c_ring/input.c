#include <stdlib.h>
#include <stdint.h>
struct ring { uint8_t *buf; size_t cap, head, count; };
struct ring *ring_new(size_t cap) { if (cap == 0 || cap > 4096) return NULL; struct ring *r = malloc(sizeof *r); if (!r) return NULL; r->buf = malloc(cap); if (!r->buf) { free(r); return NULL; } r->cap = cap; r->head = r->count = 0; return r; }
int ring_put(struct ring *r, uint8_t b) { if (r->count == r->cap) return -1; r->buf[(r->head + r->count) % r->cap] = b; r->count++; return 0; }
int ring_get(struct ring *r, uint8_t *out) { if (r->count == 0) return -1; if (!out) return -2; *out = r->buf[r->head]; r->head = (r->head + 1) % r->cap; r->count--; return 0; }
size_t ring_count(const struct ring *r) { return r->count; }
void ring_free(struct ring *r) { if (r) { free(r->buf); free(r); } }
