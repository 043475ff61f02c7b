/* Errors jump to the end. */
#include <assert.h>
static int stage;
int init(int ok) {
  int r = -1;
  if (!ok) goto out;
  stage = 1;
  if (ok < 0) goto undo;
  stage = 2;
  r = 0;
  goto out;
undo:
  stage = 0;
out:
  return r;
}
void use(void) { assert(stage == 2); }
