/* What was read from a text lies on the stack. refuse: use */
#include <assert.h>
#include <stdio.h>
static int st;
void go(const char *s) { int l = 0; sscanf(s, "%d", &l); st = l; }
void use(void) { assert(st == 0); }
