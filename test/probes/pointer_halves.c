/* A pointer in a union is copied by its halves. */
/* refuse: need */
#include <assert.h>
static int a, b;
static union { int *p; unsigned h[2]; } u = {&a}, v = {&b};
void copy(void) { u.h[0] = v.h[0]; u.h[1] = v.h[1]; }
void set(void) { *u.p = 1; }
void need(void) { assert(b == 0); }
