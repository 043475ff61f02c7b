/** A shift to the right rounds down, a division towards zero. */
public class ShiftNegative {
  private int n;

  public void halve(int k) {
    n = k >> 1;
  }

  public void half(int k) {
    n = k / 2;
  }

  public void check() {
    if (n == -2) throw new IllegalStateException();
  }

  public void low() {
    n = -3;
    n = n >> 1;
  }
}
