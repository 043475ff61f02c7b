// asserts
public class PlainCounter {
  private int n;
  public void inc() { assert n < 1 : "too many"; n++; }
  public void check() { if (n > 1) throw new IllegalStateException(); }
}
