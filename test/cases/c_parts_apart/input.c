#include <assert.h>
#include <stddef.h>
struct link { struct link *next; };
struct item { int used; struct link link; };
static struct item first, second;
static struct link *head;
static int seen;
void take_first(void) { head = &first.link; }
void take_second(void) { head = &second.link; }
void use(void) {
  if (head) ((struct item *)((char *)head - offsetof(struct item, link)))->used = 1;
  seen = first.used;
}
void check(void) { assert(seen != 0); }
