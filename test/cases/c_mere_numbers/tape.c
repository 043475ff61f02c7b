/* What is left to be read may be 2, which is no error code. */
enum tape_result { TAPE_OK, TAPE_END, TAPE_CLOSED };
static int open_, left;
enum tape_result tape_open(int n) {
  if (open_) return TAPE_CLOSED;
  open_ = 1;
  left = n;
  return TAPE_OK;
}
enum tape_result tape_read(void) {
  if (!open_) return TAPE_CLOSED;
  return left-- > 0 ? TAPE_OK : TAPE_END;
}
int tape_left(void) { return left; }
