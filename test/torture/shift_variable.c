/* Shifts by a variable, and bits of two variables. */
#include <assert.h>
static unsigned char set, last;
static int bit;
void next(void) { bit = (bit + 1) & 3; }
void add(void) { set |= (unsigned char)(1 << bit); }
void flip(void) { set ^= last; }
void keep(void) { last = set & 6; }
void has(void) { assert(set & (1 << bit)); }
void none(void) { assert(!(set & last)); }
void high(void) { assert((set >> (bit & 3)) != 1); }
