/* A function in a struct is called by whom the struct is handed to. */
/* refuse: use */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct ops { void (*run)(void); };
static int n;
static void run(void) { n = 1; }
static struct ops own = {run};
extern void poll_all(struct ops *ops);
void poke(void) { poll_all(&own); }
void use(void) { assert(n == 0); }
