/* longjmp comes back with another value. */
/* note: longjmp */
#include <assert.h>
#include <setjmp.h>
static jmp_buf env;
static int x;
void set(void) {
  if (setjmp(env) != 0) x = 1;
}
void jump(int n) {
  if (n) longjmp(env, 1);
}
void use(void) { assert(x == 0); }
