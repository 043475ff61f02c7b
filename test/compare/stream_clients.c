#include "stream.h"

/* right */
int first_byte(const char* name) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, name) < 0) return -1;
  int c = stream_read(&s);
  stream_close(&s);
  return c;
}

/* wrong: the result of open is not looked at */
int unchecked(const char* name) {
  struct stream s;
  stream_init(&s);
  stream_open(&s, name);
  int c = stream_read(&s);
  stream_close(&s);
  return c;
}

/* wrong: read after close */
int late_read(const char* name) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, name) < 0) return -1;
  stream_close(&s);
  return stream_read(&s);
}

/* wrong: closed twice on one path */
int closed_twice(const char* name) {
  struct stream s;
  stream_init(&s);
  int c;
  if (stream_open(&s, name) < 0) return -1;
  c = stream_read(&s);
  if (c < 0) stream_close(&s);
  stream_close(&s);
  return c;
}

/* right: what was opened is remembered in a flag */
int flagged(const char* name, int wanted) {
  struct stream s;
  stream_init(&s);
  int opened = 0, c = 0;
  if (wanted && stream_open(&s, name) == 0) opened = 1;
  if (opened) c = stream_read(&s);
  if (opened) stream_close(&s);
  return c;
}

/* right: a loop with one way out */
int count(const char* name) {
  struct stream s;
  stream_init(&s);
  int n = 0;
  if (stream_open(&s, name) < 0) return -1;
  while (stream_read(&s) >= 0) n++;
  stream_close(&s);
  return n;
}

/* wrong: closed in the loop and read again */
int closed_in_loop(const char* name) {
  struct stream s;
  stream_init(&s);
  int n = 0;
  if (stream_open(&s, name) < 0) return -1;
  for (n = 0; n < 10; n++) {
    if (stream_read(&s) < 0) stream_close(&s);
  }
  return n;
}

/* wrong: an early return keeps it open */
int leaking(const char* name) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, name) < 0) return -1;
  if (stream_read(&s) != 'P') return -2;
  stream_close(&s);
  return 0;
}

static int open_or(struct stream* s, const char* name, const char* other) {
  if (stream_open(s, name) == 0) return 0;
  return stream_open(s, other);
}

/* right: opened in a helper that tells */
int either(const char* name, const char* other) {
  struct stream s;
  stream_init(&s);
  if (open_or(&s, name, other) != 0) return -1;
  int c = stream_read(&s);
  stream_close(&s);
  return c;
}

static void drop(struct stream* s, int keep) {
  if (!keep) stream_close(s);
}

/* wrong: the helper has closed it, unless it was to be kept */
int dropped(const char* name, int keep) {
  struct stream s;
  stream_init(&s);
  if (stream_open(&s, name) < 0) return -1;
  drop(&s, keep);
  int c = stream_read(&s);
  stream_close(&s);
  return c;
}
