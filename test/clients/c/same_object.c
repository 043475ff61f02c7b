// expect on_null: conditional
// expect with_two_params: conditional
#include "stream.h"
void on_null(struct stream* s) {
  struct stream t;
  if (s) return;
  stream_init(&t);
  stream_read(&t, 1);
}
void with_two_params(struct stream* a, struct stream* b) {
  if (a == b) {
    stream_close(a);
    stream_close(b);
  }
}
