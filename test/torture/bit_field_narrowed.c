/* A bit-field is cut to fewer bits and read with a sign. */
#include <assert.h>
static struct {
  unsigned pad : 3;
  unsigned a : 10;
  int b : 9;
} s;
void a200(void) { s.a = 200; }
void a300(void) { s.a = 300; }
void b130(void) { s.b = 130; }
void b0(void) { s.b = 0; }
void low(void) { assert((signed char)s.a >= 0); }
void high(void) { assert((signed char)s.a != 44); }
void cut(void) { assert((signed char)s.b >= 0); }
void wide(void) { assert((unsigned short)(signed char)s.b < 200); }
