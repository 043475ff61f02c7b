// open: it rests on what is not followed
public class Overflow {
  private int i; private long l;
  public void set(int x) { i = x + 1; l = x + 1; }
  public void wide(int x) { l = x + 1L; }
  public void mul(int x) { i = x * 2; }
  public void neg() { if (i < 0) throw new IllegalStateException(); }
  public void lneg() { if (l < 0) throw new IllegalStateException(); }
  public void abs(int x) { if (Math.abs(x - 1) < 0) throw new IllegalStateException(); }
}
