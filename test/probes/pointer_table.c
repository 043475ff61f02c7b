/* refuse: use */
#include <assert.h>
static int x, y;
static int* const tab[2] = {&x, &y};
void set(int i) { *tab[i & 1] = 1; }
void use(void) { assert(x == 0); }
