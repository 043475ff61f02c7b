/* refuse: use */
#include <assert.h>
static int x;
static int* p = &x;
void set(void) { *p = 1; }
void use(void) { assert(x == 0); }
