// expect start: follows
// expect stop: conditional
// expect once: follows
#include "stream.h"
static struct stream shared;
static int running;
void once(void) {
  if (!running) {
    struct stream s;
    stream_init(&s);
    if (stream_open(&s, 1) == 0) stream_close(&s);
  }
}
void start(void) {
  stream_init(&shared);
  running = stream_open(&shared, 3) == 0;
}
void stop(void) {
  if (running) stream_close(&shared);
}
