// open: it rests on what is not followed
public class InitOrder {
  private static int seq;
  private static class A { static int x = ++seq; static { B.touch(); } static void touch() {} }
  private static class B { static int y = ++seq + A.x * 10; static void touch() {} }
  private final int late = early() + 1; private int val = 5;
  private int early() { return val; }
  public void a() { A.touch(); }
  public void b() { B.touch(); }
  public void check() { if (B.y == 12) throw new IllegalStateException(); }
  public void check2() { if (B.y == 1) throw new IllegalStateException(); }
  public void l() { if (late == 6) throw new IllegalStateException(); }
}
