#include <assert.h>
#if FEATURE
static int on;
void start(void) { on = 1; }
void use(void) { assert(on); }
#endif
