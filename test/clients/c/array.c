// expect array: unknown (elements of arrays are not told apart)
#include "stream.h"
int array(int fd) {
  struct stream s[3];
  for (int i = 0; i < 3; ++i) stream_init(&s[i]);
  for (int i = 0; i < 3; ++i)
    if (stream_open(&s[i], fd) < 0) return i;
  for (int i = 0; i < 3; ++i) stream_close(&s[i]);
  return 3;
}
