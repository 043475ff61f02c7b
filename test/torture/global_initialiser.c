/* Globals start with what they are given. */
#include <assert.h>
enum level { LOW = 1, HIGH = 5 };
static enum level level = HIGH;
static int table[2] = {7, 0};
static _Bool armed = 1;
void lower(void) {
  level = LOW;
  table[1] = table[0];
}
void high(void) {
  assert(level == HIGH && armed);
  armed = 0;
}
void copied(void) { assert(table[1] == 7); }
