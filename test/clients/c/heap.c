// expect heap: follows
// expect heap_wrong: violates stream_close
#include "stream.h"
#include <stdlib.h>
int heap(int fd) {
  struct stream *s = malloc(sizeof *s);
  if (!s) return -1;
  stream_init(s);
  if (stream_open(s, fd) == 0) {
    stream_read(s, 4);
    stream_close(s);
  }
  free(s);
  return 0;
}
int heap_wrong(int fd) {
  struct stream *s = malloc(sizeof *s);
  if (!s) return -1;
  stream_init(s);
  if (stream_open(s, fd) != 0) stream_close(s);
  free(s);
  return 0;
}
