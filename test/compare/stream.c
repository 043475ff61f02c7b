#include "stream.h"
#include <assert.h>
int sys_open(const char* name);
int sys_read(void);
void stream_init(struct stream* s) { s->is_open = 0; }
int stream_open(struct stream* s, const char* name) {
  assert(!s->is_open);
  if (sys_open(name) < 0) return -1;
  s->is_open = 1;
  return 0;
}
int stream_read(struct stream* s) {
  assert(s->is_open);
  return sys_read();
}
void stream_close(struct stream* s) {
  assert(s->is_open);
  s->is_open = 0;
}
