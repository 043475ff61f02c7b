#include <stdbool.h>
struct job {
  int prio;
  char kind;
  bool busy;
  unsigned flags : 3;
  unsigned more : 5;
};
static struct job jobs[4];
static int n;
int job_put(int i, struct job j) {
  if (i < 0 || i >= 4) return -1;
  if (jobs[i].busy) return -2;
  j.busy = true;
  jobs[i] = j;
  return 0;
}
int job_move(int a, int b) {
  if (a < 0 || a >= 4 || b < 0 || b >= 4) return -1;
  if (!jobs[a].busy || jobs[b].busy) return -2;
  jobs[b] = jobs[a];
  jobs[a].busy = false;
  return 0;
}
int job_take(int i) {
  struct job j;
  if (i < 0 || i >= 4) return -1;
  j = jobs[i];
  if (!j.busy) return -2;
  jobs[i].busy = false;
  return 0;
}
