/* The SMTP client of a Java mail program, translated as in the paper: it only knows whether it is connected. Any command
   may fail and lose the connection. */
enum connection { NOT_CONNECTED, PLAIN, AUTHORIZED };

static enum connection connection = NOT_CONNECTED;

extern int transmit(void); /* 0: lost */
extern int accepted(void);

int inv(void) { return connection >= NOT_CONNECTED && connection <= AUTHORIZED; }

static int command(void) {
  if (transmit()) return 1;
  connection = NOT_CONNECTED;
  return 0;
}

void openPort(void) {
  if (command()) connection = PLAIN;
}
void startTLS(void) { command(); }

int auth_req(void) { return connection >= PLAIN; }
void auth(void) {
  if (command() && accepted()) connection = AUTHORIZED;
}
void authSend(void) { command(); }
void authReceive(void) {}

void dropConnection(void) { connection = NOT_CONNECTED; }
void quit(void) { connection = NOT_CONNECTED; }

int ehlo_req(void) { return connection >= PLAIN; }
void ehlo(void) { command(); }
int helo_req(void) { return connection >= PLAIN; }
void helo(void) { command(); }
int mail_req(void) { return connection >= PLAIN; }
void mail(void) { command(); }
int data_req(void) { return connection >= PLAIN; }
void data(void) { command(); }
int expand_req(void) { return connection >= PLAIN; }
void expand(void) { command(); }
int noop_req(void) { return connection >= PLAIN; }
void noop(void) { command(); }

void rcpt(void) { command(); }
void reset(void) { command(); }
void verify(void) { command(); }
