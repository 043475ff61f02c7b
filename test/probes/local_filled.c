/* A callee writes a struct that lies on the stack. refuse: use */
#include <assert.h>
struct p { int a, b; };
extern void fill(struct p *);
static int st;
void go(int i) { struct p l = {0, 0}; fill(&l); st = l.b; }
void use(void) { assert(st == 0); }
