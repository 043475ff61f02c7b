#include <assert.h>
#include "limit.h"
#if FEATURE && LIMIT
int on;
void start(void) { on = 1; }
#endif
