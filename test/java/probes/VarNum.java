public class VarNum {
  private int n;
  private void f(Object... xs) { n = xs == null ? -1 : xs.length; }
  private void f(int x) { n = 100; }
  public void none() { f(); }
  public void one(int x) { f(x); }
  public void box(Integer x) { f(x); }
  public void nul() { f((Object[]) null); }
  public void two(String a, String b) { f(a, b); }
  public void check() { if (n == 100) throw new IllegalStateException(); }
  public void minus() { if (n < 0) throw new IllegalStateException(); }
  public void c2() { if (n == 2) throw new IllegalStateException(); }
}
