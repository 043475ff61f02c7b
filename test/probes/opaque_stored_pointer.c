/* The address of a variable, kept in a pointer, is handed over. refuse: use */
#include <assert.h>
void opaque(int*);
static int x;
static int* p;
void init(void) { p = &x; }
void load(void) {
  if (p) opaque(p);
}
void use(void) { assert(x == 0); }
