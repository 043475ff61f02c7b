/* tacit: --time 4
   A pointer into a static struct is given to the client: what it points to may change. refuse: need
 */
#include <assert.h>
struct s {
  int a, b;
};
static struct s o = {1, 2};
static struct s* q = &o;
int* give(void) { return &q->b; }
void need(void) { assert(o.b == 2); }
void other(void) { q->a = 3; }
