/* Handles as small integers into a static table. */
#include <assert.h>
static struct {
  int used, open;
} tab[3];
int mk(void) {
  for (int i = 0; i < 3; i++)
    if (!tab[i].used) {
      tab[i].used = 1;
      return i;
    }
  return -1;
}
void op(int h) {
  if (h < 0 || h > 2) return;
  assert(tab[h].used && !tab[h].open);
  tab[h].open = 1;
}
void rm(int h) {
  if (h < 0 || h > 2) return;
  tab[h].used = tab[h].open = 0;
}
