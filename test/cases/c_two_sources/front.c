#include <assert.h>
int check(int);
static int on;
void start(void) { on = 1; }
void use(void) { assert(check(on)); }
