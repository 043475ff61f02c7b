/* refuse: use */
#include <assert.h>
struct s {
  int a, b;
};
static struct s o;
static struct {
  struct s* q;
  int n;
} holder = {&o, 0};
void set(void) { holder.q->b = 1; }
void use(void) { assert(o.b == 0); }
