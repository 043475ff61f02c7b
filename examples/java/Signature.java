/** A digital signature object as in java.security: initialised for signing or for verifying. Error: SignatureException. */
public class Signature {
  public static class SignatureException extends Exception {
    SignatureException(String message) { super(message); }
  }

  private static final int UNINITIALIZED = 0, SIGN = 2, VERIFY = 3;
  private int state = UNINITIALIZED;

  public void initSign() { state = SIGN; }

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
