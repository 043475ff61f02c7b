/* Unsigned numbers in signed arithmetic: the result may be negative, and nothing overflows. */
#include <assert.h>
static unsigned x;
static int y;
void next(void) { x = (x + 1) & 3; }
void negate(void) { y = (-(int)x) & 3; }
void less(void) { y = ((int)x - 2) % 3; }
void three(void) { assert(y != 3); }
void low(void) { assert(y >= 0); }
