#include <stdint.h>
#define READY 0x01u
#define RUN 0x02u
#define FAULT 0x80u
struct pwm { uint8_t flags; uint16_t period; };
int pwm_init(struct pwm *p, uint16_t period) {
  if (period == 0) return -1;
  p->flags = READY;
  p->period = period;
  return 0;
}
int pwm_start(struct pwm *p) {
  if (!(p->flags & READY) || (p->flags & (RUN | FAULT))) return -2;
  p->flags |= RUN;
  return 0;
}
int pwm_set(struct pwm *p, uint16_t duty) {
  if ((p->flags & (READY | RUN)) != (READY | RUN)) return -2;
  return duty > p->period ? -1 : 0;
}
void pwm_fault(struct pwm *p) {
  p->flags |= FAULT;
  p->flags &= (uint8_t)~RUN;
}
int pwm_clear(struct pwm *p) {
  if (!(p->flags & FAULT)) return -2;
  p->flags &= (uint8_t)~FAULT;
  return 0;
}
