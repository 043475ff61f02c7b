/* The SMTP server of a Java mail server, translated as in the paper; see epa_smtp_server. */
enum command { NONE, HELO, EHLO, MAIL, RCPT, DATA, RSET, VRFY, NOOP };

static enum command last_command = NONE;
static int received_mail = 0, received_rcpt = 0, helo_enabled = 0;

extern int relay_allowed(void);

int inv(void) {
  return helo_enabled == 0 && last_command >= NONE && last_command <= NOOP;
}

void ehlo(void) { last_command = EHLO; }

int helo_req(void) { return helo_enabled != 0; }
void helo(void) { last_command = HELO; }

int mail_req(void) {
  return last_command == EHLO || last_command == NONE || last_command == RSET || last_command == VRFY ||
         last_command == NOOP || (helo_enabled != 0 && last_command == HELO);
}
int mail(void) {
  if (!relay_allowed()) return 0;
  last_command = MAIL;
  received_mail = 1;
  return 1;
}

int rcpt_req(void) {
  return received_mail != 0 && (last_command == MAIL || last_command == RCPT || last_command == NONE ||
                                last_command == EHLO || last_command == VRFY || last_command == NOOP);
}
void rcpt(void) {
  last_command = RCPT;
  received_rcpt = 1;
}

int data_req(void) { return last_command == RCPT && received_mail != 0 && received_rcpt != 0; }
void data(void) {
  last_command = DATA;
  received_mail = 0;
  received_rcpt = 0;
}

void rset(void) {
  last_command = RSET;
  received_mail = 0;
  received_rcpt = 0;
}

void vrfy(void) { last_command = VRFY; }
void noop(void) { last_command = NOOP; }
