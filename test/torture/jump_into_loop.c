/* A switch into a loop: it has several entries. */
#include <assert.h>
static int sent, left;
void send_all(int n) {
  left = n & 1;
  switch (left) {
    do {
    case 1: sent = 1;
    case 0: left--;
    } while (left > 0);
  }
}
void reset(void) { sent = 0; }
void sent_some(void) { assert(sent); }
