// expect uninitialised: violates stream_open
// expect sometimes_initialised: violates stream_open
#include "stream.h"
int uninitialised(int fd) {
  struct stream s;
  return stream_open(&s, fd);
}
int sometimes_initialised(int fd) {
  struct stream s;
  if (fd > 0) stream_init(&s);
  return stream_open(&s, fd);
}
