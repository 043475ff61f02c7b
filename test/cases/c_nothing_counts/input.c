enum { PUMP_ESTATE = -3, PUMP_EINVAL = -2 };
static int running;
int pump_start(int speed) {
  if (running) return PUMP_ESTATE;
  if (speed <= 0) return PUMP_EINVAL;
  running = 1;
  return 0;
}
int pump_stop(void) {
  if (!running) return PUMP_ESTATE;
  running = 0;
  return 0;
}
