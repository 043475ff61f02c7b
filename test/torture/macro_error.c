/* tacit: --error returns:E_SEQUENCE
   The error is a named return code. */
#define E_OK 0
#define E_SEQUENCE (-5)
static enum { IDLE, RUNNING } st;
int begin(void) {
  if (st != IDLE) return E_SEQUENCE;
  st = RUNNING;
  return E_OK;
}
int end(void) {
  if (st != RUNNING) return E_SEQUENCE;
  st = IDLE;
  return E_OK;
}
