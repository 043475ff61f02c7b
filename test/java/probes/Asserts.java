// open: it rests on what is not followed
public class Asserts {
  private int n;
  public void go() { assert n++ < 100 : "x"; n += 2; }
  public void check() { if (n == 3) throw new IllegalStateException(); }
  public void c2() { if (n == 2) throw new IllegalStateException(); }
}
