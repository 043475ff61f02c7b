#include <stdbool.h>
struct job {
  int prio;
  char kind;
  bool busy;
};
static struct {
  int head;
  struct job a[4];
  struct job b[4];
} t;
int put_a(int i, struct job j) {
  if (i < 0 || i >= 4) return -1;
  if (t.a[i].busy) return -2;
  j.busy = true;
  t.a[i] = j;
  return 0;
}
int hand(int i, int k) {
  if (i < 0 || i >= 4 || k < 0 || k >= 4) return -1;
  if (!t.a[i].busy || t.b[k].busy) return -2;
  t.b[k] = t.a[i];
  t.a[i].busy = false;
  return 0;
}
int take_b(int k) {
  struct job j;
  if (k < 0 || k >= 4) return -1;
  j = t.b[k];
  if (!j.busy) return -2;
  t.b[k].busy = false;
  return 0;
}
