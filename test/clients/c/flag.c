// expect flag: follows
// expect flag_wrong: violates stream_close
#include "stream.h"
int flag(int fd) {
  struct stream s;
  int is_open = 0;
  stream_init(&s);
  if (fd >= 0 && stream_open(&s, fd) == 0) is_open = 1;
  if (is_open) stream_read(&s, 2);
  if (is_open) stream_close(&s);
  return is_open;
}
int flag_wrong(int fd) {
  struct stream s;
  int is_open = 0;
  stream_init(&s);
  if (fd >= 0) is_open = stream_open(&s, fd) + 1;
  if (is_open >= 0) stream_close(&s);
  return is_open;
}
