// open: it rests on what is not followed
class ProtectedBase { protected int n; protected void bump() { n++; } public void twice() { bump(); bump(); } }
public class ProtectedField extends ProtectedBase {
  private int n;
  @Override protected void bump() { super.bump(); n += 10; }
  public void check() { if (n > 15) throw new IllegalStateException(); }
  public void base() { if (super.n > 3) throw new IllegalStateException(); }
}
