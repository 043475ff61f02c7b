/* Small structs are passed and returned in one register, several values in it. */
#include <assert.h>
struct pair {
  int a;
  short b;
  unsigned char c;
};
static struct pair kept;
static int sum;
static struct pair make(int a, int b) {
  struct pair p = {a & 3, (short)(b & 3), 1};
  if (p.a > p.b) p.c = 2;
  return p;
}
static int add(struct pair p) {
  p.a += p.b;
  return p.a + p.c;
}
static struct pair plain(int a) {
  struct pair p = {a & 3, 1, 1};
  return p;
}
void fixed(void) { kept.a = plain(kept.a + 1).a; }
void whole(void) { kept = make(kept.b + 1, kept.a); }
void total(void) { sum = add(kept); }
void low(void) { assert(kept.a < 3); }
void small(void) { assert(sum < 3); }
void second(void) { assert(kept.c != 2); }
