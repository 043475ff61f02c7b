/* An unknown function is handed the address of a nested struct. */
/* refuse: use */
#include <assert.h>
struct part {
  int a, b;
};
extern void fill(struct part*);
static struct {
  int first;
  struct part p;
} s;
void poke(void) { fill(&s.p); }
void use(void) { assert(s.p.b == 0); }
