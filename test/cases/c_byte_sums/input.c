#include <stdint.h>
enum { WAIT, LENGTH, CHECK, READY };
static int state;
static uint8_t sum, first;
int feed(uint8_t byte) {
  switch (state) {
  case WAIT: first = byte; sum = byte; state = LENGTH; return 0;
  case LENGTH: sum += byte; state = CHECK; return 0;
  case CHECK:
    if (sum != byte) { state = WAIT; return 1; }
    state = READY;
    return 2;
  }
  return -1;
}
int take(uint8_t *out, int *length) {
  if (state != READY) return -1;
  if (out == 0 || length == 0) return -2;
  *out = first;
  *length = 1;
  state = WAIT;
  return 0;
}
