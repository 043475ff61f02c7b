/* tacit: --error returns:<0
   An error code by its number, where the result is an enumeration. */
enum status { OK = 0, BUSY = 5, FAILED = -1 };
static int open;
enum status start(void) {
  if (open) return FAILED;
  open = 1;
  return OK;
}
enum status stop(void) {
  if (!open) return FAILED;
  open = 0;
  return BUSY;
}
int poll(void) { return open; }
