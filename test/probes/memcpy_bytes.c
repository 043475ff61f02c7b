/* Bytes are copied over the state. */
/* refuse: use */
#include <assert.h>
#include <string.h>
static struct {
  int a;
  int b;
} s;
void poke(const char* from) { memcpy(&s, from, sizeof s); }
void use(void) { assert(s.b == 0); }
