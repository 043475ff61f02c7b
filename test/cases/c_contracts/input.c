#include <assert.h>
extern int pressure(void);
void use(void) { assert(pressure() > 0); }
void idle(void) {}
