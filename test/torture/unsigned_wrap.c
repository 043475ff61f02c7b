/* tacit: --integers machine
   Counting below zero wraps around. */
#include <assert.h>
static unsigned char n;
void down(void) { n--; }
void reset(void) { n = 0; }
void low(void) { assert(n < 2); }
void high(void) { assert(n > 250); }
