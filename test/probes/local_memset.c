/* So many bytes of an array on the stack as nobody knows. refuse: use */
#include <assert.h>
#include <string.h>
static int st; static int src[2];
void go(unsigned n) { int l[2] = {0, 0}; if (n > 8) return; memset(l, 1, n); st = l[1]; }
void use(void) { assert(st == 0); }
