/* A comparison function that asserts runs inside of qsort. refuse: sort */
#include <assert.h>
#include <stdlib.h>
static int bad, arr[4];
static int cmp(const void* a, const void* b) {
  assert(!bad);
  return *(const int*)a - *(const int*)b;
}
void spoil(void) { bad = 1; }
void sort(void) { qsort(arr, 4, sizeof *arr, cmp); }
