/* java.net.Socket of JDK 1.4, translated as in the paper. The invariant is too weak at first: it does not say that the
   halves of a socket that is not connected are open; with -DSECOND it does. */
#include <stdbool.h>

static bool created, bound, connected, closed, shut_in, shut_out;

int inv(void) {
  if (connected && !bound) return 0;
  if (bound && !created) return 0;
#ifdef SECOND
  if ((shut_in || shut_out) && !connected) return 0;
#endif
  return 1;
}

int connect_req(void) { return !closed && !connected; }
void connect(void) {
  created = true;
  connected = true;
  bound = true;
}

int bind_req(void) { return !closed && !bound; }
void bind(void) {
  created = true;
  bound = true;
}

void close(void) { closed = true; }

int getInputStream_req(void) { return !closed && connected && !shut_in; }
void getInputStream(void) {}

int getOutputStream_req(void) { return !closed && connected && !shut_out; }
void getOutputStream(void) {}

int shutdownInput_req(void) { return !closed && connected && !shut_in; }
void shutdownInput(void) { shut_in = true; }

int shutdownOutput_req(void) { return !closed && connected && !shut_out; }
void shutdownOutput(void) { shut_out = true; }
