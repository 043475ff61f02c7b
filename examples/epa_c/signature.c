/* java.security.Signature, translated as in the paper: the checks of its methods are clauses. */
enum mode { UNINITIALIZED, SIGN, VERIFY };

static enum mode mode = UNINITIALIZED;

int inv(void) { return mode >= UNINITIALIZED && mode <= VERIFY; }

void initSign(void) { mode = SIGN; }
void initVerify(void) { mode = VERIFY; }

int sign_req(void) { return mode == SIGN; }
void sign(void) {}

int verify_req(void) { return mode == VERIFY; }
void verify(void) {}

int update_req(void) { return mode == SIGN || mode == VERIFY; }
void update(char byte) { (void)byte; }
