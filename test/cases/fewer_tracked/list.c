/* The list iterator as a C handle, taken not to run off the ends of the list. */
#include <assert.h>

struct list_iterator {
  int size, cursor, last;
};

void list_iterator_init(struct list_iterator* it, int size, int index) {
  __builtin_assume(0 <= index && index <= size);
  it->size = size;
  it->cursor = index;
  it->last = -1;
}

void next(struct list_iterator* it) {
  __builtin_assume(it->cursor < it->size);
  it->last = it->cursor;
  it->cursor++;
}

void previous(struct list_iterator* it) {
  __builtin_assume(it->cursor > 0);
  it->cursor--;
  it->last = it->cursor;
}

void remove(struct list_iterator* it) {
  assert(it->last >= 0);
  if (it->last < it->cursor) it->cursor--;
  it->size--;
  it->last = -1;
}

void set(struct list_iterator* it, int value) {
  (void)value;
  assert(it->last >= 0);
}

void add(struct list_iterator* it, int value) {
  (void)value;
  it->size++;
  it->cursor++;
  it->last = -1;
}
