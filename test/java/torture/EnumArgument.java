public class EnumArgument {
  public enum Key {
    LEFT, RIGHT
  }
  private Key last;
  public void press(Key k) {
    if (k == null) throw new NullPointerException();
    last = k;
  }
  public Key last() {
    return last;
  }
  public void use() {
    if (last == Key.RIGHT || last == null) throw new IllegalStateException();
  }
}
