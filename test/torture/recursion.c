/* tacit: --time 20
   A recursive helper is summarised by its effects. */
#include <assert.h>
static int open_, depth;
static int down(int n) {
  if (n <= 0) return 0;
  depth = 1;
  return 1 + down(n - 1);
}
void open_it(int n) {
  open_ = 1;
  if (n > 0 && n < 5) down(n);
}
void use(void) { assert(open_); }
void close_it(void) { open_ = 0; }
