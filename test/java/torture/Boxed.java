public class Boxed {
  private Integer value;
  public void set(int x) {
    value = x;
  }
  public void clear() {
    value = null;
  }
  public int get() {
    if (value == null) throw new IllegalStateException();
    return value;
  }
}
