/* The assertion itself changes the state. */
#include <assert.h>
static int left = 2;
void take(void) { assert(left-- > 0); }
void give(void) { left = 2; }
