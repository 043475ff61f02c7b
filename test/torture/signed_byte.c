/* tacit: --integers machine
   A char holds what fits. */
#include <assert.h>
static signed char c;
void set(int x) { c = (signed char)(x * 200); }
void negative(void) { assert(c < 0); }
void zero(void) { assert(c == 0); }
