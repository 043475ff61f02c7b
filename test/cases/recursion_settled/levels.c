#include <assert.h>
static int depth, open_;
static int down(int n){ if(n<=0) return 0; return 1+down(n-1); }
void start(void){ depth = down(3); open_=1; }
void use(void){ assert(open_); assert(depth==3); }
void stop(void){ open_=0; depth=0; }
