// open: it rests on what is not followed
public class NaNs {
  private double d;
  public void set(double x) { d = x; }
  public void check() { if (!(d < 1) && !(d >= 1)) throw new IllegalStateException(); }
  public void neq() { if (d != d) throw new IllegalStateException(); }
  public void neg() { if (d < 0) throw new IllegalStateException(); }
}
