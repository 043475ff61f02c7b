/* java.io.PipedOutputStream, translated as in the paper. The other end is a struct of its own, with an invariant of its
   own: inv_pipe is assumed of every pipe that is handed over, and has to hold afterwards. */
#include <stddef.h>

#define CAPACITY 1024

typedef struct pipe {
  int connected;
  int closed;
  int in; /* where the next byte goes */
} pipe;

static pipe *sink = NULL;

int inv_pipe(pipe *p) { return p->in >= 0 && p->in < CAPACITY && (!p->closed || p->connected); }
int inv(void) { return sink == NULL || sink->connected != 0; }

int connect_req(pipe *to) { return to != NULL && sink == NULL && to->connected == 0; }
void connect(pipe *to) {
  to->in = 0;
  to->connected = 1;
  sink = to;
}

int write_req(void) { return sink != NULL && sink->closed == 0; }
void write(char byte) {
  (void)byte;
  sink->in = sink->in + 1 == CAPACITY ? 0 : sink->in + 1;
}

void flush(void) {}

void close(void) {
  if (sink != NULL) sink->closed = 1;
}
