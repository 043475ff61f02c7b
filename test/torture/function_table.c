/* A state machine as a table of functions. */
#include <assert.h>
static int state;
static int ev_open(void) { return 1; }
static int ev_close(void) { return 0; }
static int ev_bad(void) {
  assert(!"bad");
  return -1;
}
static int ev_stay(void) { return state; }
typedef int (*ev)(void);
static const ev table[2][3] = {{ev_open, ev_bad, ev_stay}, {ev_bad, ev_close, ev_stay}};
static void fire(int e) { state = table[state][e](); }
void opn(void) { fire(0); }
void cls(void) { fire(1); }
void nop(void) { fire(2); }
