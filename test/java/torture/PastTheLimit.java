// Numbers at the limit of their type from the start, and products.
public class PastTheLimit {
  private int last = Integer.MAX_VALUE, product = 65536, state;
  private long far = Long.MIN_VALUE;

  public void next() { state = last + 1 < last ? 1 : 2; }
  public void square() { state = product * product == 0 ? 1 : 2; }
  public void before() { state = far - 1 > far ? 1 : 2; }
  public void one() { if (state == 1) throw new IllegalStateException(); }
  public void two() { if (state == 2) throw new IllegalStateException(); }
}
