public class FinallyWins {
  private int n;
  @SuppressWarnings("finally") private int f(int x) { try { if (x > 1) throw new IllegalArgumentException(); return x; } finally { if (x == 3) return 9; n++; } }
  public void go(int x) { try { n = f(x) == 9 ? 50 : n; } catch (IllegalArgumentException e) { n = 20; } }
  public void c20() { if (n == 20) throw new IllegalStateException(); }
  public void c50() { if (n == 50) throw new IllegalStateException(); }
  private int g() { int i = 1; try { return i; } finally { i = 2; } }
  public void g1() { if (g() == 2) throw new IllegalStateException(); }
}
