public class NestedTry {
  private int level;
  public void enter() {
    try {
      try {
        if (level == 2) throw new UnsupportedOperationException();
        level++;
      } catch (IllegalArgumentException e) {
        level = 7;
      }
    } catch (UnsupportedOperationException e) {
      level = 0;
    }
  }
  public void use() {
    if (level != 2) throw new IllegalStateException();
  }
}
