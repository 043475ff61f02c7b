#include <assert.h>
#if FEATURE
extern int on;
void use(void) { assert(on); }
#endif
