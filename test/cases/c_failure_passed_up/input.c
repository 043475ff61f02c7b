#include <stdlib.h>
struct buffer { char *data; unsigned long capacity; int closed; };
struct buffer *buffer_new(void) { return calloc(1, sizeof(struct buffer)); }
static int reserve(struct buffer *b, unsigned long need) {
  if (need <= b->capacity) return 0;
  char *data = realloc(b->data, need);
  if (data == NULL) return -4;
  b->data = data;
  b->capacity = need;
  return 0;
}
int buffer_put(struct buffer *b, unsigned long n) {
  if (b->closed) return -1;
  int rc = reserve(b, n);
  if (rc < 0) return rc;
  return 0;
}
int buffer_close(struct buffer *b) {
  if (b->closed) return -1;
  b->closed = 1;
  return 0;
}
