/* tacit: --error state:e!=0
   harness-skip: the error is a state
   The error is a state. */
static int a, e;
void acq(void) {
  if (a) e = 1;
  a = 1;
}
void rel(void) { a = 0; }
