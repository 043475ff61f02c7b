extern int transmit(int byte);
static int ready, last;

int start(void) {
  ready = 1;
  return 0;
}

/* Own error before start; what transmit says is handed through. */
int put(int byte) {
  int r;
  if (!ready) return -1;
  r = transmit(byte);
  if (r < 0) return r;
  return 0;
}

/* The same by one exit, and by way of a field. */
int flush(void) {
  last = ready ? transmit(0) : -1;
  return last;
}

/* The failure of transmit in own words: translated, no error. */
int probe(void) {
  if (transmit(1) < 0) return -1;
  return 0;
}

/* Computed from it: an error. */
int twice(void) { return transmit(2) + transmit(3); }

/* The code of an earlier call is own by now. */
int status(void) { return last; }
