/* Shifts by constants. */
#include <assert.h>
static unsigned w;
void push(int bit) { w = ((w << 1) | (bit & 1u)) & 7u; }
void top(void) { assert(w >> 2); }
