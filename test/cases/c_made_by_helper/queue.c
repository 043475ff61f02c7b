/* The handle is made by helpers, one of which checks the arguments. */
#include <stdlib.h>
#include <string.h>

typedef struct queue {
  unsigned room, used;
  int* items;
} queue;

static void* zalloc(size_t bytes) {
  void* p = malloc(bytes);
  if (p) memset(p, 0, bytes);
  return p;
}

static queue* make(unsigned room) {
  queue* q;
  if (room == 0) return NULL;
  q = zalloc(sizeof(queue));
  if (!q) return NULL;
  q->items = zalloc(room * sizeof(int));
  if (!q->items) {
    free(q);
    return NULL;
  }
  q->room = room;
  return q;
}

int queue_new(queue** out, unsigned room) {
  queue* q = make(room);
  *out = q;
  return q ? 0 : -1;
}

queue* queue_copy_of(unsigned room) {
  queue* q = make(room);
  if (q) q->used = 1;
  return q;
}

int queue_put(queue* q, int item) {
  if (q->used == q->room) return -1;
  q->items[q->used++] = item;
  return 0;
}

int queue_get(queue* q) {
  if (q->used == 0) return -1;
  q->used--;
  return 0;
}
