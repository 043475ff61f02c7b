/* Double buffering by pointer swap. */
#include <assert.h>
struct buf {
  int full;
};
static struct buf b0, b1;
static struct buf *front = &b0, *back = &b1;
void fill(void) {
  assert(!back->full);
  back->full = 1;
}
void swap(void) {
  struct buf* t = front;
  front = back;
  back = t;
}
void drain(void) {
  assert(front->full);
  front->full = 0;
}
