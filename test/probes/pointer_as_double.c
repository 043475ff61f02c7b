/* A pointer in a union is copied as a number of floating point. */
/* refuse: need */
#include <assert.h>
static int a, b;
static union { int *p; double d; } u = {&a}, v = {&b};
void copy(void) { double x = v.d; u.d = x; }
void set(void) { *u.p = 1; }
void need(void) { assert(b == 0); }
