// error: java.lang.NullPointerException
public class TernaryBox {
  private Integer a; private boolean f;
  public void flag(boolean b) { f = b; }
  public void set(int x) { a = x; }
  public void clear() { a = null; }
  public Integer get() { return f ? 1 : a; }
  public Integer safe() { return f ? Integer.valueOf(1) : null; }
}
