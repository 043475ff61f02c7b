/* The running example of the papers as a C module. An error flag is raised by the calls and tested
 * behind each. */
#include <assert.h>
#include <stddef.h>

struct lock;
extern struct lock* lock_new(void) __attribute__((returns_nonnull));
extern int lock_peek(struct lock*);

static struct lock* a;
static int x;
static int e;

static void check(void) { assert(e == 0); }

static void take(void) {
  if (a == NULL) {
    a = lock_new();
  } else {
    e = 1;
  }
}

void acq(void) {
  take();
  check();
}

void acqx(void) {
  take();
  if (e == 0) x = 1;
  check();
}

int read(void) {
  if (a == NULL) e = 1;
  check();
  return lock_peek(a);
}

void write(int value) {
  (void)value;
  if (!x) e = 1;
  check();
}

void rel(void) { a = NULL; }

void relx(void) {
  a = NULL;
  x = 0;
}
