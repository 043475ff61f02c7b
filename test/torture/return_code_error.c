/* tacit: --error returns:-1
   The error is a return code. */
static int started;
int start(void) {
  started = 1;
  return 0;
}
int run(int x) {
  if (!started) return -1;
  if (x < 0) return -2;
  return x > 1;
}
int stop(void) {
  if (!started) return -1;
  started = 0;
  return 0;
}
