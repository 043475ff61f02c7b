public class IntegerWrap {
  private int x = Integer.MAX_VALUE - 2;
  public void up() {
    if (x > 0) x++;
  }
  public void use() {
    if (x < 0) throw new IllegalStateException();
  }
}
