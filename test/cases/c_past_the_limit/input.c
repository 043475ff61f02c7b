#include <assert.h>
#include <limits.h>
static unsigned scale = 65536, last = UINT_MAX;
static int lowest = INT_MIN, state;
void grow(void) { scale *= 65536u; state = scale == 0 ? 1 : 2; }
void next(void) { last += 1; state = last == 0 ? 1 : 2; }
void negate(void) { state = -(unsigned)lowest == (unsigned)lowest ? 1 : 2; }
void check(void) { assert(state != 1); }
