#include "missing.h"
int f(void) { return 0; }
