/* What a call through a pointer returns is not known: `use` may not be called without a test. */
/* refuse: use */
#include <assert.h>
int (*hook)(void);
static int got;
void ask(void) { got = hook(); }
void use(void) { assert(got == 1); }
