/* The bytes of a pointer are copied one by one. */
/* refuse: need */
#include <assert.h>
static int a, b;
static int *p = &a;
static int *q = &b;
void copy(void) { char *d = (char *)&p, *s = (char *)&q; for (int i = 0; i < (int)sizeof p; i++) d[i] = s[i]; }
void set(void) { *p = 1; }
void need(void) { assert(b == 0); }
