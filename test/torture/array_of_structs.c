/* Structs in an array. */
#include <assert.h>
static struct {
  int used;
  char tag;
} t[2];
void claim(int i) {
  if (i & ~1) return;
  t[i].used = 1;
  t[i].tag = 'x';
}
void drop(int i) {
  if (i & ~1) return;
  t[i].used = 0;
}
void one(void) { assert(t[1].used && t[1].tag == 'x'); }
