// ThreadLocal-like, wait/notify ignored; interface default diamond
public class DefaultDiamond {
  interface X { default int id() { return 1; } } interface Y { default int id() { return 2; } }
  static class Z implements X, Y { int k = 3; public int id() { return X.super.id() + Y.super.id() + k; } }
  private Z z = new Z(); private int used;
  public void run() { if (z.id() != 6) throw new IllegalStateException(); z.k++; }
  public void fix() { z.k = 3; }
}
