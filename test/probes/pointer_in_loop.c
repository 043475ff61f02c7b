/* A pointer that walks over an array. */
/* refuse: use */
#include <assert.h>
static int a[3];
void poke(int n) {
  int* p = a;
  for (int i = 0; i < n && i < 3; i++) *p++ = 1;
}
void use(void) { assert(a[1] == 0); }
