#include <assert.h>
static int i;
void fill(int n){ for(i=0;i<n;i++); }
void reset(void){ i=0; }
void use(void){ assert(i<=5); }
