import java.security.SecureRandom;

/** Signature with an error put in, after JIST's Figure 8: initSign may fail and not tell. Error: SignatureException. */
public class SignatureSeeded {
  public static class SignatureException extends Exception {
    SignatureException(String message) { super(message); }
  }

  private static final int UNINITIALIZED = 0, SIGN = 2, VERIFY = 3;
  private final SecureRandom keys;
  private int state = UNINITIALIZED;

  public SignatureSeeded(SecureRandom keys) { this.keys = keys; }

  public void initSign() {
    int key = keys.nextInt();
    state = key == 0 ? UNINITIALIZED : SIGN;
  }

  public void initVerify() { state = VERIFY; }

  public void sign() throws SignatureException {
    if (state != SIGN) throw new SignatureException("not initialised for signing");
  }

  public void verify() throws SignatureException {
    if (state != VERIFY) throw new SignatureException("not initialised for verifying");
  }

  public void update() throws SignatureException {
    if (state == UNINITIALIZED) throw new SignatureException("not initialised");
  }
}
