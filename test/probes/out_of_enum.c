/* A number that is no enumerator. */
/* refuse: use */
#include <assert.h>
enum e { A, B };
static enum e x;
void set(int n) { x = (enum e)(n & 3); }
void use(void) { assert(x == A || x == B); }
