/* tacit: --handle reg --constructor reg_init
   harness-kind: handle struct reg
   Bit-fields, signed and enum. */
#include <assert.h>
enum mode { OFF, LOW, HIGH };
struct reg {
  enum mode mode : 2;
  signed int delta : 3;
  unsigned lock : 1;
  unsigned char cnt : 4;
};
void reg_init(struct reg* r) {
  r->mode = OFF;
  r->delta = 0;
  r->lock = 0;
  r->cnt = 0;
}
void reg_up(struct reg* r) {
  assert(!r->lock);
  if (r->mode != HIGH) r->mode++;
}
void reg_down(struct reg* r) {
  assert(r->mode > OFF);
  r->mode--;
}
void reg_lock(struct reg* r) {
  assert(r->mode == HIGH);
  r->lock = 1;
}
void reg_unlock(struct reg* r) {
  assert(r->lock);
  r->lock = 0;
  r->cnt = 0;
}
void reg_count(struct reg* r) {
  r->cnt++;
  assert(r->cnt != 3);
}
