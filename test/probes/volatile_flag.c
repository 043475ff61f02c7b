/* Volatile memory. note: volatile */
#include <assert.h>
static volatile int flag;
void use(void) {
  if (flag == 0) assert(flag == 0);
}
void use2(void) { assert(flag == 0); }
