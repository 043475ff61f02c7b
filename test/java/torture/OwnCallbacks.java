public class OwnCallbacks {
  private int n; private Runnable r;
  interface Op { boolean go(int x); }
  private static class Inc implements Op { public boolean go(int x) { return x > 0; } }
  private Op op = new Inc();
  public void arm() { if (r != null) throw new IllegalStateException(); r = new Runnable() { public void run() { if (n == 2) throw new IllegalStateException(); n++; } }; }
  public void fire() { if (r == null) throw new IllegalStateException(); r.run(); r = null; }
  public void test(int k) { if (op.go(k)) n = 0; }
  public void swap() { op = x -> { if (n > 0) throw new IllegalStateException(); return false; }; }
}
