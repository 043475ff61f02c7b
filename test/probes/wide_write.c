/* Two fields are written at once through a wider type. */
/* refuse: use */
#include <assert.h>
static struct {
  int a;
  int b;
} s;
void poke(void) { *(long long*)&s = 1LL << 32; }
void use(void) { assert(s.b == 0); }
