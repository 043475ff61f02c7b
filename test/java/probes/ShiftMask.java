// open: it rests on what is not followed
public class ShiftMask {
  private int v = 1; private long w = -1;
  public void sh(int n) { v = 1 << n; }
  public void s33() { v = v << 33; }
  public void us() { w = w >>> 60; }
  public void ib() { v = -1 >>> 31; }
  public void check() { if (v == 2) throw new IllegalStateException(); }
  public void one() { if (v == 1) throw new IllegalStateException(); }
  public void cw() { if (w == 15) throw new IllegalStateException(); }
}
