/* The bits of a floating point number are not its place among the others. */
#include <string.h>
static double d;
static long long bits;
void set(double x) { d = x; }
void look(void) { memcpy(&bits, &d, sizeof bits); }
int bad(void) { return bits < 0 ? -1 : 0; }
int worse(void) { return d + 1.0 > 2.0 ? -1 : 0; }
