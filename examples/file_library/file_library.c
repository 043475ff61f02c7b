/* The library of file_library.tir: bit-fields keep what the file is open for. */
#include <assert.h>

static struct {
  unsigned readable : 1;
  unsigned writable : 1;
} mode;

void fopen(void) {
  assert(!mode.readable);
  mode.readable = 1;
}

void freopen(void) {
  assert(!mode.readable);
  mode.readable = 1;
  mode.writable = 1;
}

void fclose(void) {
  assert(mode.readable);
  mode.readable = 0;
  mode.writable = 0;
}

void read(void) { assert(mode.readable); }

void write(void) { assert(mode.writable); }
