/* A function is handed over in a struct and called later. */
/* refuse: use */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct ops { void (*run)(void); int flags; };
static int n;
static void run(void) { n = 1; }
extern void install(const struct ops *ops);
extern void wait_a_while(void);
void setup(void) { struct ops own = {run, 3}; install(&own); }
void poke(void) { wait_a_while(); }
void use(void) { assert(n == 0); }
