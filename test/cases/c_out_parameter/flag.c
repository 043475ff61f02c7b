#include <stdbool.h>
extern int ask(void);
static bool verified, on;
int begin(void) { if (on) return -1; on = true; return 0; }
int verify(bool *match) { if (!on) return -1; if (!match) return -2; verified = ask() == 3; *match = verified; return 0; }
int act(void) { if (!on || !verified) return -1; on = false; verified = false; return 0; }
