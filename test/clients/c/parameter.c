// expect reads: conditional
// expect always_wrong: violates stream_close
#include "stream.h"
int reads(struct stream *s, int n) { return n > 0 ? stream_read(s, n) : 0; }
int always_wrong(struct stream *s) {
  stream_close(s);
  return stream_read(s, 1);
}
