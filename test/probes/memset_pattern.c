/* Memory is filled with something other than zero. */
/* refuse: use */
#include <assert.h>
#include <string.h>
static struct {
  int a;
  int b;
} s;
void poke(void) { memset(&s, 1, sizeof s); }
void use(void) { assert(s.b == 0); }
