/** java.security.Signature with its checks as clauses; see epa_signature. */
public class Signature {
  private static final int UNINITIALIZED = 0, SIGN = 2, VERIFY = 3;

  private int state = UNINITIALIZED;

  public void initSign() { state = SIGN; }

  public void initVerify() { state = VERIFY; }

  // @requires state == SIGN
  public void sign() {}

  // @requires state == VERIFY
  public void verify() {}

  // @requires state == SIGN || state == VERIFY
  public void update() {}
}
