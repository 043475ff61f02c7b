#include <stdbool.h>
#include <stdint.h>

static uint8_t channels;
static uint32_t lines;
static bool running;

int adc_enable(unsigned ch) {
  if (ch >= 8 || running) return -1;
  channels |= (uint8_t)(1u << ch);
  return 0;
}
int adc_disable(unsigned ch) {
  if (ch >= 8 || running) return -1;
  if (!(channels & (1u << ch))) return -2;
  channels &= (uint8_t)~(1u << ch);
  return 0;
}
int adc_start(void) {
  if (running || channels == 0) return -1;
  running = true;
  return 0;
}
int adc_stop(void) {
  if (!running) return -1;
  running = false;
  return 0;
}

int irq_claim(unsigned n) {
  if (n >= 32) return -1;
  if (lines & (1u << n)) return -2;
  lines |= 1u << n;
  return 0;
}
int irq_release(unsigned n) {
  if (n >= 32 || !(lines >> n & 1)) return -1;
  lines &= ~(1u << n);
  return 0;
}
