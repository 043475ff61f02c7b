/* tacit: --handle conn --constructor conn_init
   harness-kind: handle struct conn
   Nested structs and memset. */
#include <assert.h>
#include <string.h>
struct half {
  int shut;
  int seen;
};
struct conn {
  struct half in, out;
  int up;
};
void conn_init(struct conn* c) { memset(c, 0, sizeof *c); }
void conn_up(struct conn* c) {
  assert(!c->up);
  c->up = 1;
}
static void shut(struct half* h) {
  assert(!h->shut);
  h->shut = 1;
}
void conn_shut_in(struct conn* c) {
  assert(c->up);
  shut(&c->in);
}
void conn_shut_out(struct conn* c) {
  assert(c->up);
  shut(&c->out);
}
void conn_reset(struct conn* c) {
  struct half none = {0, 0};
  c->in = none;
  c->out = c->in;
}
