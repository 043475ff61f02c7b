// an enum that implements an interface of the nest, called through the interface
public class EnumBehindInterface {
  interface Op { boolean ok(int k); }
  enum Std implements Op { YES { public boolean ok(int k) { return true; } }, NO; public boolean ok(int k) { if (k > 0) throw new IllegalStateException(); return false; } }
  enum Empty implements Op { ; public boolean ok(int k) { return true; } }
  private static class Own implements Op { public boolean ok(int k) { return k > 0; } }
  private Op op = Std.YES; private int n;
  public void set(boolean b) { op = b ? Std.NO : new Own(); }
  public void run(int k) { if (op.ok(k)) n++; else if (n > 1) throw new IllegalStateException(); }
  public void reset() { op = Std.YES; n = 0; }
}
