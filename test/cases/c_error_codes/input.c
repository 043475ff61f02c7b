#include <stdlib.h>

struct point {
  long sum;
  int n;
  double value;
};

struct meter {
  int (*power)(int on);
  int running;
  struct point points[2];
  double gain;
  unsigned char* log;
};

/* A mask that is no power of two, and too little memory, make no object; the former is not decided. */
int meter_init(struct meter* m, size_t size, int (*power)(int on)) {
  if (!power) return -1;
  if (size == 0 || (size & (size - 1)) != 0) return -2;
  m->log = malloc(size);
  if (!m->log) return -3;
  m->power = power;
  m->running = 0;
  m->points[0] = (struct point){0, 0, 0.0};
  m->points[1] = (struct point){0, 0, 0.0};
  return 0;
}

/* What power says is no error of the client's. */
int meter_start(struct meter* m) {
  if (m->running) return -4;
  if (m->power(1) < 0) return -5;
  m->running = 1;
  return 0;
}

/* Floating point numbers beside numbers that count. */
int meter_add(struct meter* m, int which, double value) {
  if (which < 0 || which > 1) return -6;
  if (!m->running) return -7;
  m->points[which].value = value;
  m->gain = value;
  m->log[m->points[which].n] = 1;
  m->points[which].n = 1;
  return 0;
}

int meter_finish(struct meter* m) {
  if (m->points[0].n == 0) return -8;
  return 0;
}
