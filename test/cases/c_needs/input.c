#include <assert.h>
#include <stddef.h>
extern int pressure(int valve);
extern void *lookup(int key);
static int open_;
void use(void) { assert(pressure(0) > 0); }
void find(void) { assert(lookup(1) != NULL); }
void shut(void) { open_ = 0; }
void enter(void) {
  assert(!open_);
  open_ = 1;
}
