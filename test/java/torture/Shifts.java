public class Shifts {
  private int x = 1;
  public void shift() {
    x <<= 1;
    if (x > 8) x >>= 3;
  }
  public void use() {
    if ((x >>> 2) == 1) throw new IllegalStateException();
  }
}
