// open: it rests on what is not followed
public class CloneIt {
  private int[] a = {0, 0}; private int[] b = a;
  public void copy() { b = a.clone(); }
  public void set(int x) { a[0] = x; }
  public void check() { if (b[0] == 3) throw new IllegalStateException(); }
}
