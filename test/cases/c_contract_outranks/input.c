#include <assert.h>
static int pressure(void) { return -1; }
static int level(void) { return 1; }
void use(void) { assert(pressure() > 0); }
void drain(void) { assert(level() > 0); }
