#include "stream.h"

int work(void);

/* right */
int guarded(void) {
  struct lock l;
  lock_init(&l);
  lock_take(&l);
  int r = work();
  lock_give(&l);
  return r;
}

/* wrong: taken twice */
int taken_twice(int again) {
  struct lock l;
  lock_init(&l);
  lock_take(&l);
  if (again) lock_take(&l);
  lock_give(&l);
  return 0;
}

/* wrong: given back on one path only, and given back again */
int given_twice(void) {
  struct lock l;
  lock_init(&l);
  lock_take(&l);
  if (work() < 0) lock_give(&l);
  lock_give(&l);
  return 0;
}

/* wrong: an early return keeps it */
int kept(void) {
  struct lock l;
  lock_init(&l);
  lock_take(&l);
  if (work() < 0) return -1;
  lock_give(&l);
  return 0;
}

/* right: tried, and given back only if that worked */
int tried(void) {
  struct lock l;
  lock_init(&l);
  if (lock_try(&l) != 0) return -1;
  work();
  lock_give(&l);
  return 0;
}

/* wrong: the result of the trial is read the wrong way round */
int tried_wrong(void) {
  struct lock l;
  lock_init(&l);
  if (lock_try(&l) == 0) return -1;
  work();
  lock_give(&l);
  return 0;
}

/* right: taken and given in a loop */
int often(int n) {
  struct lock l;
  lock_init(&l);
  for (int i = 0; i < n; i++) {
    lock_take(&l);
    work();
    lock_give(&l);
  }
  return 0;
}

/* wrong: given back once, after a loop that takes it each time */
int often_taken(int n) {
  struct lock l;
  lock_init(&l);
  for (int i = 0; i < n; i++) {
    lock_take(&l);
    work();
  }
  lock_give(&l);
  return 0;
}

/* right: two locks */
int both(void) {
  struct lock a, b;
  lock_init(&a);
  lock_init(&b);
  lock_take(&a);
  lock_take(&b);
  work();
  lock_give(&b);
  lock_give(&a);
  return 0;
}

/* wrong: the other one is given back */
int other(void) {
  struct lock a, b;
  lock_init(&a);
  lock_init(&b);
  lock_take(&a);
  work();
  lock_give(&b);
  return 0;
}
